"""A demand that does not fit: the most that does, why, and what would."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tessera.errors import ProblemsError
from tessera.hardware import gpus
from tessera.hardware.mig import profiles
from tessera.mig.demand import Counts, Demand, Item
from tessera.mig.fewest import less
from tessera.mig.fleet import MigGpu
from tessera.mig.keep import keep
from tessera.mig.pack import Slot, pack, put_first

_PLAIN = r"\d+g\.\d+gb"
"""Profiles without attributes: what to offer in place of another."""

_WHAT = ("compute slices", "memory slices", "sets of media engines")


def shortage(fleet: Sequence[MigGpu], asked: Demand, beside: bool) -> ProblemsError:
    """What to tell about a demand that does not fit, a line a profile."""
    return ProblemsError(list(_Shortage(fleet, asked, beside).lines()))


class _Shortage:
    """The fleet with all cleared that is not in use, and the most that fits then."""

    def __init__(self, fleet: Sequence[MigGpu], asked: Demand, beside: bool) -> None:
        self.fleet, self.asked = fleet, asked
        self.open = [one for one in fleet if one.may_fill(beside)]
        kept, self.rest = keep(fleet, asked, range(len(fleet)))
        self.slots = [
            Slot(one.gpu.key, layout, asked.names(one.gpu.key))
            for one, layout in zip(fleet, kept, strict=True)
            if one.may_fill(beside)
        ]
        self.fit = self._most()

    def lines(self) -> Iterator[str]:
        """All that is to be said."""
        where = f"MIG demand on {_said(self.fleet)}"
        for item, want, rest, fit in zip(self.asked.items, self.asked.counts, self.rest, self.fit, strict=True):
            if rest > fit:
                alone = want - rest + self._alone(item)
                yield (
                    f"{where}: {item.want}: found {want} wanted, allowed {want - rest + fit} beside the rest, which is "
                    f"{rest - fit} too many; alone at most {alone} fit"
                )
        yield f"{where}: the most that fits, large profiles first, is {self._best()}"
        yield f"{where}: {self._reason()}"
        yield f"{where}: {'; or '.join(self._ways_out())}"

    def _most(self) -> Counts:
        """First-fit, then as many more of each item as there is a way for."""
        _, left = put_first(self.slots, self.rest, range(len(self.slots)))
        fit = list(less(self.rest, left))
        for at, missing in enumerate(left):
            more, step = 0, 1
            while step and more < missing:
                step = min(step, missing - more)
                tried = (*fit[:at], fit[at] + more + step, *fit[at + 1 :])
                more, step = (more + step, step * 2) if pack(self.slots, tried) is not None else (more, step // 2)
            fit[at] += more
        return tuple(fit)

    def _alone(self, item: Item) -> int:
        at = self.asked.items.index(item)
        return sum(max(counts[at] for counts in slot.fits) for slot in self.slots)

    def _best(self) -> str:
        rows = zip(self.asked.items, self.asked.counts, self.rest, self.fit, strict=True)
        return ", ".join(f"{want - rest + fit} of {want} x {item.want}" for item, want, rest, fit in rows if want)

    def _reason(self) -> str:
        """What runs out."""
        have, need = [0, 0, 0], [0, 0, 0]
        for one in self.open:
            whole = profiles(one.gpu)
            mine = (whole[0].compute_of, whole[0].memory_of, max(each.media for each in whole))
            have = [there + more for there, more in zip(have, mine, strict=True)]
        for item, rest in zip(self.asked.items, self.rest, strict=True):
            takes = (item.profile.compute, item.profile.memory, item.profile.media)
            need = [wanted + more * rest for wanted, more in zip(need, takes, strict=True)]
        short = [
            f"{what} run out, found {wanted} wanted, allowed {there}"
            for what, wanted, there in zip(_WHAT, need, have, strict=True)
            if wanted > there
        ]
        said = (
            "; ".join(short)
            or "there is enough of each, but profiles start only at some slices and can't be put together so"
        )
        return f"{said}; GPUs that may be cut: {len(self.open)}{self._closed()}"

    def _closed(self) -> str:
        whole = sum(one.whole for one in self.fleet)
        busy = len(self.fleet) - len(self.open) - whole
        rows = ((whole, "kept whole"), (busy, "in use"))
        found = [f"{count} {'is' if count == 1 else 'are'} {why}" for count, why in rows if count]
        return f" ({', '.join(found)})" if found else ""

    def _ways_out(self) -> Iterator[str]:
        yield "ask for less"
        for product in dict.fromkeys(one.gpu.key for one in self.fleet):
            more = self._gpus_more(product)
            if more is not None:
                yield f"add {more} x {product}"
                break
        for at, item in enumerate(self.asked.items):
            if self.rest[at] > self.fit[at] and (smaller := self._smaller(at)):
                yield f"take {self.rest[at] - self.fit[at]} x {smaller} in place of {item.want}"

    def _gpus_more(self, product: str) -> int | None:
        """GPUs of a product with which all of it would fit; None where it hasn't all profiles, or no MIG."""
        names = self.asked.names(product)
        missing = less(self.rest, self.fit)
        if any(count and name is None for count, name in zip(missing, names, strict=True)):
            return None
        extra = [Slot(product, (), names)] * sum(missing)
        given = pack([*self.slots, *extra], self.rest)
        if given is None:
            return None
        return max(1, sum(map(any, given[len(self.slots) :])))

    def _smaller(self, at: int) -> str | None:
        """The largest smaller profile that fits where the missing ones don't."""
        item, missing = self.asked.items[at], self.rest[at] - self.fit[at]
        product = min(item.products)
        for one in sorted(profiles(gpus.gpu(product)), key=lambda one: (-one.memory, -one.compute)):
            less_of_it = (one.memory, one.compute) < (item.profile.memory, item.profile.compute)
            if less_of_it and re.fullmatch(_PLAIN, one.name) and self._fits_too(product, one.name, missing):
                return one.name
        return None

    def _fits_too(self, product: str, name: str, count: int) -> bool:
        """Whether that much more fits beside the most that fits."""
        names = self.asked.names(product)
        if name in names:
            at = names.index(name)
            more = (*self.fit[:at], self.fit[at] + count, *self.fit[at + 1 :])
            return pack(self.slots, more) is not None
        slots = [replace(slot, names=(*slot.names, name if slot.product == product else None)) for slot in self.slots]
        return pack(slots, (*self.fit, count)) is not None


def _said(fleet: Sequence[MigGpu]) -> str:
    return ", ".join(f"{count} x {product}" for product, count in Counter(one.gpu.key for one in fleet).items())
