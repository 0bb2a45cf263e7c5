"""Totals: sums that say what they leave out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tessera.cost.money import fixed
from tessera.hardware.rows import UNKNOWN

_NAMED = 5
"""Unknown pools that a sentence names; of more it says how many."""


@dataclass(frozen=True)
class Total:
    """The sum over pools. known: by currency, of the pools whose amount is known. unknown: names of the others.

    pools: count of all.
    """

    known: tuple[tuple[str, Decimal], ...]
    unknown: tuple[str, ...]
    pools: int

    @property
    def complete(self) -> bool:
        """Whether the sum leaves nothing out."""
        return not self.unknown

    def text(self, places: int) -> str:
        """The sum as people read it. places: decimal places at most."""
        known = " + ".join(f"{fixed(amount, places)} {currency}" for currency, amount in self.known)
        if not self.unknown:
            return known or "nothing: no pools"
        sure = any(amount for _, amount in self.known)  # a sum of 0 would say that something is free
        count = len(self.unknown)
        said = f"{count} {'pool' if count == 1 else 'pools'} unknown ({_names(self.unknown)})"
        return f"{f'at least {known}' if sure else UNKNOWN}, {said}"


def total(amounts: Sequence[tuple[str, str, Decimal | None]]) -> Total:
    """The sum of amounts: pool, currency, amount."""
    known: dict[str, Decimal] = {}
    for _, currency, amount in amounts:
        if amount is not None:
            known[currency] = known.get(currency, Decimal(0)) + amount
    return Total(tuple(sorted(known.items())), tuple(name for name, _, part in amounts if part is None), len(amounts))


def _names(names: Sequence[str]) -> str:
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return ", ".join([*names[:_NAMED], *more])
