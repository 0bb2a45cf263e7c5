"""A way to share the GPUs of a pool: what its `sharing` says, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tessera.dra.slices import CLAIMED, DYNAMIC_MIG

__all__ = ["CLAIMED", "DYNAMIC_MIG", "Allocator", "Part", "Scheme", "Way"]

type Allocator = Literal["claims", "device-plugin"]
"""Who hands out a node's GPUs; of two on one node neither would see what the other has given away."""

type Scheme = Literal["", "time-slicing", "mps"]
"""How the device plugin lets several pods have one device; empty where it does not."""


@dataclass(frozen=True)
class Part:
    """Some GPUs of each machine, by index. profiles: MIG devices by profile on each of them; none are whole GPUs."""

    gpus: tuple[int, ...]
    profiles: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Way:
    """A way to share. kind: the sharing criterion of a recipe.

    profiles: MIG devices by profile on every GPU, or layout: GPU by GPU; what a layout leaves out stays whole.
    replicas: pods on one whole GPU. slices: pods on one MIG device, by profile; 1 where it is not named.
    """

    kind: str = "dra"
    profiles: Mapping[str, int] = field(default_factory=dict)
    layout: tuple[Part, ...] = ()
    replicas: int = 1
    slices: Mapping[str, int] = field(default_factory=dict)

    @property
    def allocator(self) -> Allocator:
        """Who hands out the GPUs."""
        return "claims" if self.kind in CLAIMED else "device-plugin"

    @property
    def scheme(self) -> Scheme:
        """How several pods have one device."""
        if self.kind == "mps":
            return "mps"
        return "time-slicing" if self.kind == "time-slicing" or self.replicas > 1 or self.slices else ""

    @property
    def named(self) -> tuple[str, ...]:
        """The MIG profiles that it cuts, each once."""
        parts = [self.profiles, *(part.profiles for part in self.layout)]
        return tuple(dict.fromkeys(name for part in parts for name in part))

    def by_gpu(self, count: int) -> tuple[Mapping[str, int], ...]:
        """MIG devices by profile on each of a machine's GPUs; nothing is a whole GPU."""
        cut = {index: part.profiles for part in self.layout for index in part.gpus}
        return tuple(cut.get(index, self.profiles) for index in range(count))

    def row(self) -> dict[str, Any]:
        """Plain values, as a lab's pool takes them; `of_row` reads them."""
        return {
            "sharing": self.kind,
            "profiles": dict(self.profiles),
            "replicas": self.replicas,
            "layout": [{"gpus": list(part.gpus), "profiles": dict(part.profiles)} for part in self.layout],
            "slices": dict(self.slices),
        }


def of_row(row: Mapping[str, Any]) -> Way:
    """The way of plain values. Raises TypeError, ValueError, KeyError or AttributeError for another form."""
    return Way(
        kind=str(row.get("sharing", "dra")),
        profiles=_counts(row.get("profiles")),
        layout=tuple(_part(part) for part in _listed(row.get("layout"))),
        replicas=int(row.get("replicas", 1)),
        slices=_counts(row.get("slices")),
    )


def _part(row: Mapping[str, Any]) -> Part:
    return Part(tuple(int(index) for index in _listed(row["gpus"])), _counts(row.get("profiles")))


def _counts(found: Mapping[str, Any] | None) -> dict[str, int]:
    return {str(name): int(count) for name, count in (found or {}).items()}


def _listed(found: Iterable[Any] | None) -> Iterable[Any]:
    if isinstance(found, str | Mapping):
        raise TypeError("a list is wanted")
    return found or ()
