"""The free space of a GPU: every combination of instances that still fits beside what it keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from tessera.hardware import gpus
from tessera.hardware.mig import MigProfile, Placement, profile, profiles
from tessera.mig.demand import Counts

type Layout = tuple[Placement, ...]
type Names = tuple[str | None, ...]
"""The profile of each item on one GPU; None where the GPU has none for it."""

type _State = tuple[int, Counts]
"""Memory slices that are taken, as bits, and instances of each item."""

_REMEMBERED = 4096
"""Spaces that are worked out once: different layouts are few, even on thousands of GPUs."""


@lru_cache(maxsize=_REMEMBERED)
def fits(product: str, kept: Layout, names: Names) -> Mapping[Counts, Layout]:
    """All combinations that fit beside the kept layout on a GPU of this product, with their placements.

    Where a combination can be placed in several ways, it is the way that leaves most starts open.
    """
    best: dict[Counts, tuple[int, Layout]] = {}
    for (mask, counts), layout in _states(product, kept, names).items():
        room = _room(product, mask)
        if counts not in best or room > best[counts][0]:
            best[counts] = (room, layout)
    return {counts: tuple(sorted(layout)) for counts, (_, layout) in best.items()}


def largest(found: Mapping[Counts, Layout]) -> list[Counts]:
    """The combinations to which nothing can be added, wherever it is placed."""
    return [counts for counts in found if not any(more in found for more in _one_more(counts))]


def full(product: str, names: Names) -> frozenset[Counts]:
    """The combinations that some way of placing them leaves no start open for another of these profiles."""
    states = _states(product, (), names)
    items = [profile(gpus.gpu(product), name) if name is not None else None for name in names]
    return frozenset(
        counts
        for mask, counts in states
        if not any(
            key in states
            for at, one in enumerate(items)
            if one
            for key, _ in _added({(mask, counts): ()}, at, one, one.limit)
        )
    )


@lru_cache(maxsize=_REMEMBERED)
def ways(product: str, names: Names, counts: Counts) -> tuple[Layout, ...]:
    """All layouts of an empty GPU with exactly these instances."""
    found: list[tuple[int, Layout]] = [(0, ())]
    for name, count in zip(names, counts, strict=True):
        if name is not None and count:
            one = profile(gpus.gpu(product), name)
            found = [grown for mask, layout in found for grown in _chosen(one, one.starts, count, mask, layout)]
    return tuple(tuple(sorted(layout)) for _, layout in found)


def mask_of(one: MigProfile, start: int) -> int:
    """The memory slices of an instance, as bits."""
    return ((1 << one.memory) - 1) << start


def _chosen(
    one: MigProfile, starts: tuple[int, ...], count: int, mask: int, layout: Layout
) -> Iterator[tuple[int, Layout]]:
    """Each way to add count instances of a profile at these starts."""
    if not count:
        yield mask, layout
        return
    for at, start in enumerate(starts):
        taken = mask_of(one, start)
        if not mask & taken:
            yield from _chosen(one, starts[at + 1 :], count - 1, mask | taken, (*layout, Placement(start, one.name)))


def _states(product: str, kept: Layout, names: Names) -> dict[_State, Layout]:
    gpu = gpus.gpu(product)
    whole = profiles(gpu)[0]
    have = [profile(gpu, one.profile) for one in kept]
    mask = sum(mask_of(found, one.start) for found, one in zip(have, kept, strict=True))
    items = [profile(gpu, name) if name is not None else None for name in names]
    compute = whole.compute_of - sum(found.compute for found in have)
    media = max(one.media for one in profiles(gpu)) - sum(found.media for found in have)
    limits = [one.limit - sum(found is one for found in have) if one else 0 for one in items]
    states: dict[_State, Layout] = {(mask, (0,) * len(names)): ()}
    for at, one in enumerate(items):
        new = states
        while one and new:
            new = dict(_added(new, at, one, limits[at]))
            new = {
                (taken, counts): layout
                for (taken, counts), layout in new.items()
                if (taken, counts) not in states
                and _sum(items, counts, "compute") <= compute
                and _sum(items, counts, "media") <= media
            }
            states = {**states, **new}
    return states


def _added(states: Mapping[_State, Layout], at: int, one: MigProfile, limit: int) -> Iterator[tuple[_State, Layout]]:
    """The states with one instance more of item at."""
    for (mask, counts), layout in states.items():
        if counts[at] < limit:
            more = (*counts[:at], counts[at] + 1, *counts[at + 1 :])
            for start in one.starts:
                taken = mask_of(one, start)
                if not mask & taken:
                    yield (mask | taken, more), (*layout, Placement(start, one.name))


def _sum(items: list[MigProfile | None], counts: Counts, what: str) -> int:
    return sum(count * int(getattr(one, what)) for one, count in zip(items, counts, strict=True) if one and count)


def _one_more(counts: Counts) -> Iterator[Counts]:
    return ((*counts[:at], counts[at] + 1, *counts[at + 1 :]) for at in range(len(counts)))


@cache
def _room(product: str, mask: int) -> int:
    """Memory slices at all starts that are still open: a measure of choice."""
    return sum(
        one.memory for one in profiles(gpus.gpu(product)) for start in one.starts if not mask & mask_of(one, start)
    )
