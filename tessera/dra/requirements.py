"""Requirements: what a workload needs of a device, in words that selectors are made from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from tessera import naming
from tessera.dra import quantity
from tessera.errors import ProblemsError, TesseraError

DEVICES = ("gpu",)


@dataclass(frozen=True)
class Requirement:
    """One device with at least this much.

    device: kind of device, of DEVICES. memory: a quantity; GB are 10^9 bytes, so every product
    marketed with 24 GB satisfies 24G, although its driver reports fewer GiB. compute_capability:
    three numbers, 8.9.0.
    """

    device: str = "gpu"
    memory: str | None = None
    compute_capability: str | None = None

    def __post_init__(self) -> None:
        problems = list(_problems(self))
        if problems:
            raise ProblemsError(problems)


def requirement(values: Mapping[str, Any]) -> Requirement:
    """A requirement from a mapping, as recipes/classes writes it. Raises ProblemsError."""
    known = {field.name for field in fields(Requirement)}
    unknown = [naming.unknown("requirement", key, known) for key in values if key not in known]
    if unknown:
        raise ProblemsError(unknown)
    return Requirement(**values)


def _problems(wanted: Requirement) -> list[str]:
    problems = []
    if wanted.device not in DEVICES:
        problems.append(naming.unknown("device", wanted.device, DEVICES))
    if wanted.memory is not None:
        problems += _memory_problems(wanted.memory)
    if wanted.compute_capability is not None and not re.fullmatch(r"\d+\.\d+\.\d+", wanted.compute_capability):
        # semver("8.9") is an error at scheduling time, on every node: refuse it here.
        problems.append(f"compute_capability {wanted.compute_capability!r} needs three numbers, such as 8.9.0")
    return problems


def _memory_problems(memory: str) -> list[str]:
    try:
        amount = quantity.parse(memory)
    except TesseraError as error:
        return [f"memory {error}"]
    return [] if amount > 0 else [f"memory {memory!r} must be more than nothing"]
