"""One GPU of a plan: what it becomes, what that changes, and what of it nobody can use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tessera.hardware import gpus
from tessera.hardware.mig import Placement, profile, profiles
from tessera.mig.fleet import MigGpu
from tessera.mig.space import Layout, fits

type Verb = Literal["keep", "destroy", "create"]


@dataclass(frozen=True)
class Slices:
    """Slices of compute and of memory."""

    compute: int
    memory: int

    def __add__(self, other: Slices) -> Slices:
        return Slices(self.compute + other.compute, self.memory + other.memory)


@dataclass(frozen=True)
class Move:
    """One instance that stays, goes or comes."""

    verb: Verb
    gpu: str
    placement: Placement

    def __str__(self) -> str:
        return f"{self.verb} {self.placement} on {self.gpu}"


@dataclass(frozen=True)
class Cut:
    """A GPU and its layout in the plan, by start."""

    gpu: MigGpu
    layout: Layout

    @property
    def changed(self) -> bool:
        """Whether anything goes or comes."""
        return self.layout != tuple(sorted(self.gpu.layout))

    @property
    def recut(self) -> bool:
        """Whether it has instances and changes: mig-parted then wipes all of them."""
        return self.changed and bool(self.gpu.layout)

    @property
    def wiped(self) -> Layout:
        """Instances that stay by the plan, but which mig-parted makes anew."""
        return self._stays() if self.changed else ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """What stays, what goes, then what comes in the order in which the driver has to make it."""
        stays, name = self._stays(), self.gpu.name
        goes = [one for one in sorted(self.gpu.layout) if one not in stays]
        return (
            *(Move("keep", name, one) for one in stays),
            *(Move("destroy", name, one) for one in goes),
            *(Move("create", name, one) for one in self.order if one not in stays),
        )

    @property
    def order(self) -> Layout:
        """Its instances in the order in which to create them: a small one first can take a large one's only place."""
        return tuple(sorted(self.layout, key=lambda one: (*_size(self.gpu.gpu.key, one.profile), one.start)))

    @property
    def used(self) -> Slices:
        """Slices that its instances take."""
        return _used(self.gpu.gpu.key, self.layout)

    @property
    def waste(self) -> Slices:
        """Slices that no further instance can take: 3g beside 3g leaves one compute slice."""
        return _waste(self.gpu.gpu.key, self.layout) if self.layout else Slices(0, 0)

    def _stays(self) -> Layout:
        return tuple(one for one in self.layout if one in self.gpu.layout)


def of(product: str) -> Slices:
    """All slices of a GPU. Raises TesseraError where it has no MIG."""
    one = profiles(gpus.gpu(product))[0]
    return Slices(one.compute_of, one.memory_of)


def _size(product: str, name: str) -> tuple[int, int, int]:
    found = profile(gpus.gpu(product), name)
    return -found.memory, -found.compute, -found.media


@lru_cache(maxsize=4096)
def _used(product: str, layout: Layout) -> Slices:
    have = [profile(gpus.gpu(product), one.profile) for one in layout]
    return Slices(sum(one.compute for one in have), sum(one.memory for one in have))


@lru_cache(maxsize=4096)
def _waste(product: str, layout: Layout) -> Slices:
    whole, used = of(product), _used(product, layout)
    names = tuple(one.name for one in profiles(gpus.gpu(product)))
    more = [_used(product, beside) for beside in fits(product, layout, names).values()]
    return Slices(
        whole.compute - used.compute - max(one.compute for one in more),
        whole.memory - used.memory - max(one.memory for one in more),
    )
