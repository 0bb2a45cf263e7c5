"""Priorities: the few that service classes have, as recipes/priorities.yaml says them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from tessera import data, naming
from tessera.errors import TesseraError
from tessera.hardware.rows import Row

FILE = "priorities.yaml"


@dataclass(frozen=True)
class Priority:
    """A PriorityClass. value: higher goes first in the scheduler's queue, below 10^9. preempts: may push pods out.

    The scheduler frees no device that a claim holds, whatever the priority: for that there are queues.
    """

    name: str
    value: int
    preempts: bool
    summary: str


def names() -> list[str]:
    """Names of all priorities, the highest first."""
    return sorted(_rows(), key=lambda name: -priority(name).value)


@cache
def priority(name: str) -> Priority:
    """The priority called name. Raises TesseraError where it is unknown or its row is wrong."""
    if name not in _rows():
        raise TesseraError(naming.unknown("priority", name, _rows()))
    row = _rows()[name]
    return Priority(name, row.number("value"), row.flag("preempts"), row.text("summary"))


def priority_class(found: Priority) -> dict[str, Any]:
    """The PriorityClass (scheduling.k8s.io/v1) of a priority; none of ours is the default."""
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": found.name},
        "value": found.value,
        "globalDefault": False,
        "preemptionPolicy": "PreemptLowerPriority" if found.preempts else "Never",
        "description": found.summary,
    }


def _rows() -> dict[str, Row]:
    return Row(f"recipes/{FILE}", data.load(FILE)).named()
