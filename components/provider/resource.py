"""What a resource of ours does, in plain Python; the servicer does the rest."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

Values = Mapping[str, Any]


class PartialError(Exception):
    """A create or update that failed half-way; state is what is there now."""

    def __init__(self, message: str, resource_id: str, state: Values) -> None:
        super().__init__(message)
        self.resource_id = resource_id
        self.state = state


@dataclass(frozen=True)
class Difference:
    """What an update would do. changed and replaced: property paths; notes: sentences for the user."""

    changed: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Call:
    """One call of the engine. report: a line of progress; cancelled: whether the user wants an end.

    state: what the resource is known to be, where it is to be deleted.
    """

    urn: str
    report: Callable[[str], None]
    cancelled: threading.Event = field(default_factory=threading.Event)
    state: Values = field(default_factory=dict)

    @property
    def stack(self) -> str:
        """Name of the stack, from the URN."""
        return self.urn.split("::")[0].rpartition(":")[2]

    @property
    def name(self) -> str:
        """Name of the resource in the program, from the URN."""
        return self.urn.rpartition("::")[2]


class Resource(Protocol):
    """One kind of resource. Everything may be called again: create adopts, delete forgives."""

    def check(self, call: Call, inputs: Values) -> tuple[Values, dict[str, str]]:
        """The inputs with defaults, and a reason for each property that is wrong."""

    def diff(self, call: Call, resource_id: str, state: Values, old: Values, new: Values) -> Difference:
        """What bringing the resource from old to new inputs would do; it looks at the real thing, in under 1 s."""

    def plan(self, resource_id: str | None, state: Values, new: Values) -> Values:
        """The state after a create (no id) or an update, as far as a preview can know it."""

    def create(self, call: Call, inputs: Values) -> tuple[str, Values]:
        """Make it, or adopt what is there; its id and state. Raises PartialError."""

    def read(self, call: Call, resource_id: str, old_inputs: Values) -> tuple[Values, Values] | None:
        """Its inputs and state as they really are, or None where it is gone. An import has no old inputs."""

    def update(self, call: Call, resource_id: str, inputs: Values) -> Values:
        """Bring it to the inputs; its state. Raises PartialError."""

    def delete(self, call: Call, resource_id: str) -> None:
        """Remove it, and all that belongs to it."""
