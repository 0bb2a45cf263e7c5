"""Which GPU gets which combination, so that most of what is there can stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tessera.mig.demand import Counts
from tessera.mig.space import Layout, Names, fits, ways


@dataclass(frozen=True)
class _Match:
    """A combination on a GPU that is cut as old. layout: the way to place it that keeps most."""

    old: Layout
    counts: Counts
    layout: Layout

    @property
    def cost(self) -> tuple[int, int, int, int]:
        """What to prefer: nothing to do, then much that stays, little that goes, full ones first."""
        stays = len(set(self.old) & set(self.layout))
        return int(self.old != self.layout), -stays, len(self.old) - stays, -len(self.layout)


def least_change(product: str, names: Names, old: Sequence[Layout], cuts: Iterable[Counts]) -> list[Layout]:
    """A layout for each GPU of a product, now cut as old, so that every combination is on one of them."""
    new: list[Layout] = [()] * len(old)
    waiting: dict[Layout, list[int]] = {}
    for at, layout in enumerate(old):
        waiting.setdefault(layout, []).append(at)
    left = Counter(cuts)
    for match in sorted(_matches(product, names, list(waiting), list(left)), key=lambda match: match.cost):
        places = waiting[match.old]
        for _ in range(min(len(places), left[match.counts])):
            new[places.pop(0)] = match.layout
            left[match.counts] -= 1
    return new


def _matches(product: str, names: Names, olds: Sequence[Layout], cuts: Sequence[Counts]) -> Iterator[_Match]:
    for old in olds:
        there = set(old)
        for counts in cuts:
            default = fits(product, (), names)[counts]
            if old and _shared(old, names, counts):
                default = max(ways(product, names, counts), key=lambda way: len(there & set(way)))
            yield _Match(old, counts, default)


def _shared(old: Layout, names: Names, counts: Counts) -> bool:
    have = {one.profile for one in old}
    return any(count and name in have for name, count in zip(names, counts, strict=True))
