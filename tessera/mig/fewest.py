"""The fewest empty GPUs for a demand: the linear program's whole part, then a search for what is left of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, lcm

from tessera.mig.demand import Counts
from tessera.mig.linear import Cover, cover

STEPS = 1500
"""Nodes that one search looks at before it takes one GPU more: so the plan depends on no clock."""

SMALL = 8
"""GPUs up to which the whole demand is searched, and not what the linear program leaves."""

type Group = int
type Cut = tuple[Group, Counts]
"""A GPU of a group, and its instances of each item."""


def fewest(patterns: Sequence[Sequence[Counts]], demand: Counts, limits: Sequence[int]) -> list[Cut] | None:
    """GPUs that serve the demand, as few as found. patterns: the largest combinations of each group; limits: its GPUs.

    None where the demand does not fit, or no way was found in the steps that are allowed.
    """
    if not any(demand):
        return []
    rows = [(group, counts) for group, each in enumerate(patterns) for counts in each]
    solved = cover(rows, demand, limits)
    if solved is None:
        return None
    least = ceil(solved.bound(demand, limits))
    best: list[Cut] | None = None
    for off in (0, 1) if least > SMALL else (least,):
        sure = [cut for cut, amount in zip(rows, solved.amounts, strict=True) for _ in range(floor(amount) - off)]
        found = _completed(_Search(patterns, solved), sure, demand, limits)
        if found is not None and (best is None or len(found) < len(best)):
            best = found
        if best is not None and len(best) <= least:
            break
    return best


def _completed(search: _Search, sure: list[Cut], demand: Counts, limits: Sequence[int]) -> list[Cut] | None:
    used = Counter(group for group, _ in sure)
    left = tuple(limit - used[group] for group, limit in enumerate(limits))
    made, rest = _trimmed(sure, demand)
    most = search.greedy(rest, left)
    for count in range(search.bound(rest, left), sum(left) + 1 if most is None else len(most)):
        search.steps = STEPS
        found = search.deeper(rest, left, count)
        if found is not None:
            return [*made, *found]
    return None if most is None else [*made, *most]


def _trimmed(sure: Sequence[Cut], demand: Counts) -> tuple[list[Cut], Counts]:
    """The cuts without what nobody asked for, and what they leave of the demand."""
    made, rest = [], demand
    for group, counts in sure:
        taken = _lower(counts, rest)
        made.append((group, taken))
        rest = less(rest, taken)
    return made, rest


@dataclass
class _Search:
    """Depth first, by the worth that the linear program gives each item; steps: nodes that may still be looked at."""

    patterns: Sequence[Sequence[Counts]]
    solved: Cover
    steps: int = STEPS
    failed: set[tuple[Counts, tuple[int, ...], int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.over = lcm(*(part.denominator for part in (*self.solved.values, *self.solved.rents)))
        self.values = [int(value * self.over) for value in self.solved.values]
        self.rents = [int(rent * self.over) for rent in self.solved.rents]

    def bound(self, rest: Counts, left: tuple[int, ...]) -> int:
        """GPUs that the rest takes at least."""
        return max(0, -(-(self.worth(rest) - sum(map(int.__mul__, self.rents, left))) // self.over))

    def worth(self, counts: Counts) -> int:
        """What these instances are worth, in parts of a GPU."""
        return sum(map(int.__mul__, self.values, counts))

    def deeper(self, rest: Counts, left: tuple[int, ...], count: int) -> list[Cut] | None:
        """The rest on count GPUs at most; None where that was not found."""
        if not any(rest):
            return []
        key = (rest, left, count)
        if key in self.failed or max(1, self.bound(rest, left)) > count or self.steps <= 0:
            return None
        self.steps -= 1
        for group, taken in self.choices(rest, left):
            found = self.deeper(less(rest, taken), _one_less(left, group), count - 1)
            if found is not None:
                return [(group, taken), *found]
        if self.steps > 0:
            self.failed.add(key)
        return None

    def choices(self, rest: Counts, left: tuple[int, ...]) -> list[Cut]:
        """Cuts that hold the largest item of the rest, the most worthy first."""
        first = next(at for at, count in enumerate(rest) if count)
        found = {
            (group, _lower(counts, rest)): None
            for group, each in enumerate(self.patterns)
            if left[group] > 0
            for counts in each
            if counts[first]
        }
        return sorted(found, key=lambda cut: (-self.worth(cut[1]), cut[0], [-count for count in cut[1]]))

    def greedy(self, rest: Counts, left: tuple[int, ...]) -> list[Cut] | None:
        """The most worthy cut again and again; None where the GPUs run out."""
        made: list[Cut] = []
        while any(rest):
            choices = self.choices(rest, left)
            if not choices:
                return None
            for cut in _repeated(choices[0], rest, left):
                made.append(cut)
                rest, left = less(rest, cut[1]), _one_less(left, cut[0])
        return made


def _repeated(cut: Cut, rest: Counts, left: tuple[int, ...]) -> Iterator[Cut]:
    """A cut as often as the rest has all of it."""
    group, taken = cut
    times = min(have // take for have, take in zip(rest, taken, strict=True) if take)
    return (cut for _ in range(min(times, left[group])))


def less(counts: Counts, taken: Counts) -> Counts:
    """The counts without what is taken; never below 0."""
    return tuple([max(0, have - take) for have, take in zip(counts, taken, strict=True)])


def _lower(counts: Counts, other: Counts) -> Counts:
    return tuple(map(min, counts, other))


def _one_less(left: tuple[int, ...], group: int) -> tuple[int, ...]:
    return (*left[:group], left[group] - 1, *left[group + 1 :])
