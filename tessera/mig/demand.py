"""What is asked for: instances of MIG profiles, of one product or of any that means the same by the name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tessera import naming
from tessera.errors import ProblemsError, TesseraError
from tessera.hardware.gpus import Gpu
from tessera.hardware.mig import MigProfile, one_meaning, profile, profiles

type Counts = tuple[int, ...]
"""Instances of each item of a demand, in its order."""


@dataclass(frozen=True)
class Want:
    """So many instances of a profile. product: the GPU's key; None takes any on which the name is one share."""

    profile: str
    count: int
    product: str | None = None

    def __str__(self) -> str:
        return f"{self.product}/{self.profile}" if self.product else self.profile


@dataclass(frozen=True)
class Item:
    """One thing that is asked for. want: how it was called; products: keys of the GPUs that have it."""

    want: str
    profile: MigProfile
    products: frozenset[str]
    count: int


@dataclass(frozen=True)
class Demand:
    """All that is asked for, large profiles first."""

    items: tuple[Item, ...]
    _names: dict[str, tuple[str | None, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def counts(self) -> Counts:
        """Instances of each item."""
        return tuple(item.count for item in self.items)

    def names(self, product: str) -> tuple[str | None, ...]:
        """The profile of each item on a product; None where it can't have it."""
        if product not in self._names:  # asked once a GPU
            self._names[product] = tuple(one.profile.name if product in one.products else None for one in self.items)
        return self._names[product]


def demand(wants: Iterable[Want], among: Sequence[Gpu]) -> Demand:
    """The wants, each with the GPUs that can serve it. Raises ProblemsError with all that is wrong."""
    products = {gpu.key: gpu for gpu in among}
    added, problems = _added(wants)
    items = []
    for (name, product), count in added.items():
        try:
            items.append(_item(Want(name, count, product), products))
        except TesseraError as error:
            problems.append(str(error))
    if problems:
        raise ProblemsError(problems)
    items.sort(key=lambda item: (-item.profile.memory, -item.profile.compute, item.want))
    return Demand(tuple(items))


def _added(wants: Iterable[Want]) -> tuple[Mapping[tuple[str, str | None], int], list[str]]:
    added: dict[tuple[str, str | None], int] = {}
    problems = []
    for want in wants:
        if want.count < 0:
            problems.append(f"MIG profile {want}: found {want.count}, allowed 0 or more")
        added[want.profile, want.product] = added.get((want.profile, want.product), 0) + want.count
    for name in dict.fromkeys(name for name, product in added if product is None):
        named = [product for other, product in added if other == name and product]
        if named:
            problems.append(
                f"MIG profile {name!r}: is asked for with a product ({', '.join(named)}) and without; name one in both"
            )
    return added, problems


def _item(want: Want, products: Mapping[str, Gpu]) -> Item:
    if want.product is not None:
        if want.product not in products:
            raise TesseraError(f"MIG profile {want}: {naming.unknown('GPU', want.product, products)}")
        found = profile(products[want.product], want.profile)
        return Item(str(want), found, frozenset({want.product}), want.count)
    having = [gpu for gpu in products.values() if any(one.name == want.profile for one in profiles(gpu))]
    if not having:
        return Item(str(want), _nowhere(want.profile, products), frozenset(), want.count)
    return Item(str(want), one_meaning(want.profile, having), frozenset(gpu.key for gpu in having), want.count)


def _nowhere(name: str, products: Mapping[str, Gpu]) -> MigProfile:
    if not products:
        raise TesseraError(f"MIG profile {name!r}: there is no GPU to cut; name GPUs, or keep fewer of them whole")
    if len(products) == 1:
        return profile(next(iter(products.values())), name)
    known = {one.name for gpu in products.values() for one in profiles(gpu)}
    raise TesseraError(f"none of {', '.join(products)}: {naming.unknown('MIG profile', name, known)}")
