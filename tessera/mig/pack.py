"""A demand on GPUs of which some keep instances: free space first, then as few empty GPUs as possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tessera.mig.demand import Counts
from tessera.mig.fewest import fewest, less
from tessera.mig.linear import cover
from tessera.mig.space import Layout, Names, fits, largest


@dataclass(frozen=True)
class Slot:
    """A GPU that may be filled. kept: the instances that stay; names: the profile of each item on it."""

    product: str
    kept: Layout
    names: Names

    @cached_property
    def fits(self) -> Mapping[Counts, Layout]:
        """All combinations that fit beside what it keeps."""
        return fits(self.product, self.kept, self.names)


def pack(slots: Sequence[Slot], demand: Counts) -> list[Counts] | None:
    """What each slot gets: no more empty ones than first-fit decreasing would take. None where it doesn't fit."""
    if not slots:
        return None if any(demand) else []
    best = first_fit(slots, demand)
    tried: list[list[Counts]] = []
    for filled in (_fill(slots, demand), first_fit_beside(slots, demand)):
        if filled in tried:
            continue
        tried.append(filled)
        found = _with_empty(slots, filled, _rest(demand, filled))
        if found is not None and (best is None or _opened(slots, found) <= _opened(slots, best)):
            best = found
    return best


def first_fit(slots: Sequence[Slot], demand: Counts) -> list[Counts] | None:
    """First-fit decreasing, used GPUs first; None where something is left over."""
    order = sorted(range(len(slots)), key=lambda at: not slots[at].kept)
    given, rest = put_first(slots, demand, order)
    return None if any(rest) else given


def first_fit_beside(slots: Sequence[Slot], demand: Counts) -> list[Counts]:
    """First-fit decreasing on the GPUs that keep instances."""
    return put_first(slots, demand, [at for at, slot in enumerate(slots) if slot.kept])[0]


def put_first(slots: Sequence[Slot], demand: Counts, order: Sequence[int]) -> tuple[list[Counts], Counts]:
    """Each item, large ones first, on the first GPUs in order that have room for it; and what is left over."""
    nothing = (0,) * len(demand)
    given, rest = [nothing] * len(slots), list(demand)
    for item in range(len(demand)):
        for at in order:
            if not rest[item]:
                break
            room = slots[at].fits
            while rest[item] and (more := _more(given[at], item)) in room:
                given[at] = more
                rest[item] -= 1
    return given, tuple(rest)


def values(slots: Sequence[Slot], demand: Counts) -> tuple[Fraction, ...]:
    """What one piece of each item is worth, in empty GPUs."""
    kinds = list(dict.fromkeys((slot.product, slot.names) for slot in slots))
    rows = [(group, counts) for group, kind in enumerate(kinds) for counts in largest(fits(kind[0], (), kind[1]))]
    solved = cover(rows, demand, [sum(demand)] * len(kinds))
    return solved.values if solved else (Fraction(0),) * len(demand)


def _fill(slots: Sequence[Slot], demand: Counts) -> list[Counts]:
    """The most worthy combination in the free space of each GPU that keeps instances."""
    given: list[Counts] = [(0,) * len(demand)] * len(slots)
    used = [at for at, slot in enumerate(slots) if slot.kept]
    worth = values(slots, demand) if used else ()
    best: dict[Slot, Counts] = {}
    rest = demand
    for at in used:
        slot = slots[at]
        found = best.get(slot)
        if found is None or not _within(found, rest):
            found = best[slot] = _worthiest(slot, rest, worth)
        given[at] = found
        rest = less(rest, given[at])
    return given


def _worthiest(slot: Slot, rest: Counts, worth: Sequence[Fraction]) -> Counts:
    having = [counts for counts in slot.fits if _within(counts, rest)]
    return max(having, key=lambda counts: (sum(map(Fraction.__mul__, worth, map(Fraction, counts))), counts))


def _with_empty(slots: Sequence[Slot], filled: Sequence[Counts], rest: Counts) -> list[Counts] | None:
    """What is filled, and the rest on as few empty GPUs as possible."""
    empty: dict[tuple[str, Names], list[int]] = {}
    for at, slot in enumerate(slots):
        if not slot.kept:
            empty.setdefault((slot.product, slot.names), []).append(at)
    patterns = [largest(fits(product, (), names)) for product, names in empty]
    cuts = fewest(patterns, rest, [len(each) for each in empty.values()])
    if cuts is None:
        return None
    waiting = [iter(each) for each in empty.values()]
    given = list(filled)
    for group, counts in cuts:
        given[next(waiting[group])] = counts
    return given


def _rest(demand: Counts, given: Sequence[Counts]) -> Counts:
    return tuple(want - sum(each) for want, each in zip(demand, zip(*given, strict=True), strict=True))


def _opened(slots: Sequence[Slot], given: Sequence[Counts]) -> int:
    return sum(not slot.kept and any(counts) for slot, counts in zip(slots, given, strict=True))


def _within(counts: Counts, rest: Counts) -> bool:
    return all(have <= want for have, want in zip(counts, rest, strict=True))


def _more(counts: Counts, item: int) -> Counts:
    return (*counts[:item], counts[item] + 1, *counts[item + 1 :])
