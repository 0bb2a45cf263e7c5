"""Room: what is taken on each node, in memory slices (eight make a GPU), and how much of the rest is of use.

Fragmentation is that of FGD (USENIX ATC '23): the share of all GPUs that is free, but which a task drawn at random
from the demand could not use where it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tessera.hardware.mig import MigProfile
from tests.bench.demand import Task

SLICES = 8
Wish = tuple[int, MigProfile | None]
"""Whole GPUs, and the MIG profile of a share."""


@dataclass(frozen=True)
class Room:
    """A node. taken: by GPU, its memory slices that are allocated; cut: the one profile of a node of static MIG.

    Where GPUs are only counted, as by a device plugin, the taken ones are taken to be the first.
    """

    taken: tuple[frozenset[int], ...]
    cut: MigProfile | None = None
    on_demand: bool = False

    @property
    def allocated(self) -> int:
        return sum(map(len, self.taken))

    @property
    def free(self) -> int:
        return SLICES * len(self.taken) - self.allocated

    def usable(self, wish: Wish) -> int:
        """Slices that are free and that a task with this wish could take."""
        gpus, profile = wish
        if profile and (self.cut or self.on_demand):
            if self.cut and self.cut != profile:
                return 0
            return sum(
                SLICES - len(one) for one in self.taken if any(_fits(one, start, profile) for start in profile.starts)
            )
        if self.cut:
            return 0
        whole = sum(1 for one in self.taken if not one)
        return whole * SLICES if whole >= max(1, gpus) else 0


def _fits(taken: frozenset[int], start: int, profile: MigProfile) -> bool:
    return not taken & set(range(start, start + profile.memory))


def fragmentation(rooms: Iterable[Room], wishes: Mapping[Wish, float]) -> float:
    """Share of all slices that is free and of no use to a random task. wishes: how often each occurs."""
    rooms = list(rooms)
    total = sum(wishes.values())
    lost = sum(often / total * (room.free - room.usable(wish)) for room in rooms for wish, often in wishes.items())
    return lost / sum(SLICES * len(room.taken) for room in rooms)


def requested(tasks: Iterable[Task]) -> float:
    """GPUs that tasks truly need."""
    return sum(task.milli for task in tasks) / 1000
