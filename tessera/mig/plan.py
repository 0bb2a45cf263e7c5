"""The plan: demand per profile on a fleet, as few GPUs as possible, and as little change as possible."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tessera.errors import ProblemsError
from tessera.mig import cut
from tessera.mig.change import least_change
from tessera.mig.cut import Cut, Move, Slices
from tessera.mig.demand import Counts, Demand, Want, demand
from tessera.mig.fleet import MigGpu, check, reserve
from tessera.mig.keep import keep
from tessera.mig.limits import too_many
from tessera.mig.pack import Slot, pack
from tessera.mig.shortage import shortage
from tessera.mig.space import Layout, Names


@dataclass(frozen=True)
class Plan:
    """What each GPU of the fleet becomes, in its order.

    fewest: GPUs that the demand takes if everything that is not in use may move. extra: instances in use that nobody
    asked for, by profile; they stay.
    """

    cuts: tuple[Cut, ...]
    fewest: int
    extra: Mapping[str, int]

    @property
    def used(self) -> tuple[Cut, ...]:
        """GPUs with instances."""
        return tuple(one for one in self.cuts if one.layout)

    @property
    def whole(self) -> tuple[Cut, ...]:
        """GPUs without instances."""
        return tuple(one for one in self.cuts if not one.layout)

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every instance that goes or comes."""
        return tuple(move for one in self.cuts if one.changed for move in one.moves if move.verb != "keep")

    @property
    def recut(self) -> tuple[Cut, ...]:
        """GPUs of which mig-parted wipes all instances to apply this."""
        return tuple(one for one in self.cuts if one.recut)

    @property
    def taken(self) -> Slices:
        """Slices that instances take."""
        return sum((one.used for one in self.used), Slices(0, 0))

    @property
    def available(self) -> Slices:
        """Slices of the GPUs that have instances."""
        return sum((cut.of(one.gpu.gpu.key) for one in self.used), Slices(0, 0))

    @property
    def waste(self) -> Slices:
        """Slices that no further instance can take."""
        return sum((one.waste for one in self.used), Slices(0, 0))


def plan(
    fleet: Sequence[MigGpu],
    wants: Iterable[Want],
    whole: Mapping[str, int] | None = None,
    repack: bool = False,
    beside: bool = False,
) -> Plan:
    """A layout for each GPU so that the fleet has just the instances that are wanted.

    What is wanted and there stays where it is, if the rest fits around it; else GPUs with few instances are cleared,
    as few as possible. whole: GPUs to keep whole, by product. repack: move whatever is not in use where that saves a
    GPU. beside: fill free space of GPUs in use too, which nvidia-smi and the DRA driver can, but mig-parted can't.
    Raises ProblemsError with all that is wrong, or with the most that fits.
    """
    wants = list(wants)
    if problems := too_many(len(fleet), sum(max(want.count, 0) for want in wants)):
        raise ProblemsError([f"MIG plan: {problem}" for problem in problems])
    check(fleet)
    fleet = reserve(fleet, whole or {})
    asked = demand(wants, [one.gpu for one in fleet if not one.whole])
    movable = sorted(
        (at for at, one in enumerate(fleet) if one.layout and not one.in_use and not one.whole),
        key=lambda at: len(fleet[at].layout),
    )
    calm = attempt(fleet, asked, (), beside)
    packed = attempt(fleet, asked, movable, beside) if movable else calm
    if calm is None and packed is None:
        raise shortage(fleet, asked, beside)
    found = calm or _disturbing_few(fleet, asked, movable, beside) or packed
    least = min(_count(each) for each in (calm, packed) if each is not None)
    if found is None or (repack and packed is not None and _count(packed) < _count(found)):
        found = packed
    layouts = found or []
    cuts = tuple(Cut(one, layout) for one, layout in zip(fleet, layouts, strict=True))
    return Plan(cuts, least, _extra(cuts, asked))


def attempt(fleet: Sequence[MigGpu], asked: Demand, cleared: Collection[int], beside: bool) -> list[Layout] | None:
    """Layouts of the fleet when these GPUs are cleared first; None where the demand doesn't fit so."""
    kept, rest = keep(fleet, asked, set(cleared))
    names = {one.gpu.key: asked.names(one.gpu.key) for one in fleet}
    places = [at for at, one in enumerate(fleet) if one.may_fill(beside)]
    slots = [Slot(fleet[at].gpu.key, kept[at], names[fleet[at].gpu.key]) for at in places]
    given = pack(slots, rest)
    if given is None:
        return None
    empty: dict[str, list[tuple[int, Counts]]] = {}
    for at, slot, counts in zip(places, slots, given, strict=True):
        if slot.kept:
            kept[at] = (*slot.kept, *slot.fits[counts])
        else:
            empty.setdefault(slot.product, []).append((at, counts))
    for product, rows in empty.items():
        for at, layout in _on_empty(fleet, product, names[product], rows):
            kept[at] = layout
    return [tuple(sorted(layout)) for layout in kept]


def _on_empty(
    fleet: Sequence[MigGpu], product: str, names: Names, rows: Sequence[tuple[int, Counts]]
) -> Iterable[tuple[int, Layout]]:
    old = [tuple(sorted(fleet[at].layout)) for at, _ in rows]
    layouts = least_change(product, names, old, [counts for _, counts in rows if any(counts)])
    return zip((at for at, _ in rows), layouts, strict=True)


def _disturbing_few(
    fleet: Sequence[MigGpu], asked: Demand, movable: Sequence[int], beside: bool
) -> list[Layout] | None:
    """The plan that clears the fewest GPUs, those with few instances first."""
    low, high, best = 0, len(movable), None
    while high - low > 1:
        middle = (low + high) // 2
        found = attempt(fleet, asked, movable[:middle], beside)
        if found is None:
            low = middle
        else:
            high, best = middle, found
    return best


def _count(layouts: Sequence[Layout]) -> int:
    return sum(bool(layout) for layout in layouts)


def _extra(cuts: Sequence[Cut], asked: Demand) -> Mapping[str, int]:
    """Instances beyond the demand, which stay because they are in use."""
    left = {(item.profile.name, product): item for item in asked.items for product in item.products}
    wanted = {item.want: item.count for item in asked.items}
    extra: dict[str, int] = {}
    for each in sorted(cuts, key=lambda one: not one.gpu.in_use):
        for one in each.layout:
            item = left.get((one.profile, each.gpu.gpu.key))
            if item and wanted[item.want]:
                wanted[item.want] -= 1
            else:
                extra[one.profile] = extra.get(one.profile, 0) + 1
    return extra
