"""Prices: what a machine costs, as dated price lists tell. An unknown price says so and is never 0."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cache

from tessera.errors import TesseraError
from tessera.hardware.rows import UNKNOWN, Row, table

ON_DEMAND = "on-demand"
CAPACITY_BLOCK = "capacity-block"


@dataclass(frozen=True)
class Price:
    """What one instance costs per hour. amount: None is unknown. day: of the price list; None where none names it."""

    instance: str
    kind: str
    region: str
    amount: Decimal | None
    currency: str
    unit: str
    day: date | None
    source: str | None

    def per_gpu(self, count: int) -> Decimal | None:
        """The amount for one of count GPUs, per hour; None is unknown."""
        return None if self.amount is None else self.amount / count

    def __str__(self) -> str:
        if self.amount is None:
            return UNKNOWN
        return f"{self.amount} {self.currency} per {self.unit} ({self.kind}, {self.region}, {self.day})"


def price(instance: str, kind: str = ON_DEMAND, region: str = "us-east-1") -> Price:
    """The price of an instance in the newest list that names it. amount is None where no list knows it."""
    found = _prices().get((instance, kind, region))
    return found or Price(instance, kind, region, None, "USD", "instance-hour", None, None)


def prices(instance: str) -> list[Price]:
    """All prices that lists name for an instance, also unknown ones, by kind and region."""
    return [found for (name, _, _), found in sorted(_prices().items()) if name == instance]


@cache
def _prices() -> dict[tuple[str, str, str], Price]:
    found: dict[tuple[str, str, str], Price] = {}
    for row in sorted(table("prices").values(), key=lambda row: row.day("date")):
        for one in _listed(row):
            found[one.instance, one.kind, one.region] = one
    return found


def _listed(row: Row) -> list[Price]:
    amounts = row.row("amounts")
    return [
        Price(
            instance=name,
            kind=row.text("kind"),
            region=row.text("region"),
            amount=_amount(amounts, name),
            currency=row.text("currency"),
            unit=row.text("unit"),
            day=row.day("date"),
            source=row.text("source"),
        )
        for name in amounts.keys()  # noqa: SIM118 - a Row is no mapping
    ]


def _amount(amounts: Row, name: str) -> Decimal | None:
    text = amounts.maybe_text(name)
    try:
        amount = None if text is None else Decimal(text)
    except InvalidOperation:
        amount = Decimal(0)
    if amount is not None and not (amount.is_finite() and amount > 0):
        raise TesseraError(f"{amounts.where}.{name}: found {text!r}, allowed: a number above 0 in quotes, or {UNKNOWN}")
    return amount
