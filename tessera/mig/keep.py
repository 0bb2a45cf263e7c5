"""What stays of the present layouts, so that as little as possible is made anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tessera.mig.demand import Counts, Demand
from tessera.mig.fewest import less
from tessera.mig.fleet import MigGpu
from tessera.mig.space import Layout


def keep(fleet: Sequence[MigGpu], demand: Demand, cleared: Collection[int] = ()) -> tuple[list[Layout], Counts]:
    """The instances that stay on each GPU, and what is left to make. cleared: GPUs, by position, that keep nothing.

    Whatever is in use stays. Of the rest, what nobody wants goes: first where that empties GPUs, those with the fewest
    instances before others.
    """
    kept = [_wanted(one, demand, at in cleared) for at, one in enumerate(fleet)]
    busy = {at for at, one in enumerate(fleet) if one.in_use}
    rest = less(demand.counts, _counted(fleet, kept, demand, busy))
    free = sorted((at for at in range(len(fleet)) if at not in busy), key=lambda at: len(kept[at]))
    have = _counted(fleet, kept, demand, free)
    surplus = list(less(have, rest))
    for at in free if any(surplus) else ():
        mine = _counted(fleet, kept, demand, [at])
        if any(mine) and all(count <= more for count, more in zip(mine, surplus, strict=True)):
            surplus = list(less(tuple(surplus), mine))
            kept[at] = ()
    for at in free:
        kept[at] = _without(fleet[at], kept[at], demand, surplus)
    return kept, less(rest, _counted(fleet, kept, demand, free))


def _wanted(one: MigGpu, demand: Demand, cleared: bool) -> Layout:
    if one.in_use:
        return one.layout
    if one.whole or cleared:
        return ()
    names = demand.names(one.gpu.key)
    return tuple(each for each in one.layout if each.profile in names)


def _counted(fleet: Sequence[MigGpu], kept: Sequence[Layout], demand: Demand, positions: Iterable[int]) -> Counts:
    """Instances of each item that stay on these GPUs."""
    counts = [0] * len(demand.items)
    for at in positions:
        if kept[at]:
            names = demand.names(fleet[at].gpu.key)
            for each in kept[at]:
                if each.profile in names:
                    counts[names.index(each.profile)] += 1
    return tuple(counts)


def _without(one: MigGpu, kept: Layout, demand: Demand, surplus: list[int]) -> Layout:
    """What stays on a GPU when the surplus is taken from it; the surplus shrinks by that."""
    if not kept or not any(surplus):
        return kept
    names, stay = demand.names(one.gpu.key), []
    for each in kept:
        item = names.index(each.profile)
        if surplus[item]:
            surplus[item] -= 1
        else:
            stay.append(each)
    return tuple(stay)
