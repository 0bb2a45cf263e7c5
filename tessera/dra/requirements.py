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
_SEMVER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", re.ASCII)


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
        problems = _problems({field.name: getattr(self, field.name) for field in fields(self)})
        if problems:
            raise ProblemsError(problems)


def requirement(values: Mapping[str, Any]) -> Requirement:
    """A requirement from a mapping, as recipes/classes writes it. Raises ProblemsError with every problem."""
    known = [field.name for field in fields(Requirement)]
    unknown = [naming.unknown("requirement", key, known) for key in values if key not in known]
    stated = {key: value for key, value in values.items() if key in known}
    problems = unknown + _problems(stated)
    if problems:
        raise ProblemsError(problems)
    return Requirement(**stated)


def _problems(values: Mapping[str, Any]) -> list[str]:
    problems = []
    for name, value in values.items():
        if value is None and name != "device":
            continue
        if not isinstance(value, str):
            problems.append(f"{name} must be a text; found {value!r}; put it in quotes, or write a value")
        elif name == "device" and value not in DEVICES:
            problems.append(naming.unknown("device", value, DEVICES))
        elif name == "memory":
            problems += _memory_problems(value)
        elif name == "compute_capability" and not _SEMVER.fullmatch(value):
            # semver("8.9") is an error at scheduling time, on every node: refuse it here.
            problems.append(f"compute_capability {value!r} needs three numbers, such as 8.9.0")
    return problems


def _memory_problems(memory: str) -> list[str]:
    try:
        amount = quantity.parse(memory)
    except TesseraError as error:
        return [f"memory {error}"]
    return [] if amount > 0 else [f"memory {memory!r} must be more than nothing"]
