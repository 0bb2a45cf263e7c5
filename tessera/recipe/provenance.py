"""Provenance: where a value comes from, why, and what it replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tessera.recipe.merge import GONE, Node
from tessera.recipe.paths import Path
from tessera.recipe.writes import Origin, Write


@dataclass(frozen=True)
class Replaced(Origin):
    """A value that a later layer replaced, and who had set it. value: None where it had been deleted."""

    value: Any = None


@dataclass(frozen=True)
class Provenance(Origin):
    """Who set a value. replaced: what stood there before, oldest first; for a list that was added to, what it was."""

    replaced: tuple[Replaced, ...] = ()

    @classmethod
    def of(cls, history: list[tuple[Write, Any]]) -> Provenance:
        """From all that was written to a place."""
        *before, (last, _) = history
        replaced = (
            Replaced(**_origin(write.origin), value=None if value is GONE else value) for write, value in before
        )
        return cls(**_origin(last.origin), replaced=tuple(replaced))

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Provenance:
        """From JSON."""
        return cls(**{**said, "replaced": tuple(Replaced(**one) for one in said["replaced"])})

    def document(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {**_origin(self), "replaced": [{**_origin(one), "value": one.value} for one in self.replaced]}


def _origin(origin: Origin) -> dict[str, Any]:
    return {name: getattr(origin, name) for name in ("layer", "file", "line", "because", "source")}


def leaves(node: Node, path: Path = ()) -> Iterator[tuple[Path, Provenance]]:
    """By path, every value below a node that is still there."""
    for place, found in node.nodes(path):
        empty = found.value == {} and not any(inner for below in found.below.values() for inner in below.alive())
        if found.is_leaf or empty:
            yield place, Provenance.of(found.history)


def deleted(node: Node, path: Path = ()) -> Iterator[tuple[Path, Provenance]]:
    """By path, every value below a node that a layer set and a later one deleted."""
    for place, found in node.nodes(path):
        if found.value is GONE and any(value is not GONE for _, value in found.history):
            yield place, Provenance.of(found.history)
