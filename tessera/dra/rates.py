"""Rates: what one device of a class costs for an hour, computed from the dated list price of a machine that has it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from tessera.errors import TesseraError
from tessera.hardware.instances import instance
from tessera.hardware.prices import price
from tessera.hardware.rows import UNKNOWN, Row

CENT = Decimal("0.01")
_SHARE = re.compile(r"1|([1-9]\d?)/([1-9]\d?)", re.ASCII)


@dataclass(frozen=True)
class Rate:
    """The price of one device with all that comes with it, per hour; None is unknown.

    amount: rounded to cents. day: of the price list. because: what it was computed from, and why from that.
    """

    amount: Decimal | None
    currency: str
    day: date | None
    because: str

    def __str__(self) -> str:
        if self.amount is None:
            return UNKNOWN
        return f"{self.amount} {self.currency} per hour ({self.day})"


def rate(row: Row) -> Rate:
    """The rate that a row describes: share of one GPU of an instance, on demand.

    Raises TesseraError where the instance is unknown or the share is none.
    """
    machine, share = instance(row.text("instance")), _share(row)
    listed = price(machine.key)
    each = listed.per_gpu(machine.count)
    amount = None if each is None else (each * share.numerator / share.denominator).quantize(CENT, ROUND_HALF_UP)
    part = "one GPU" if share == 1 else f"{share} of one GPU"
    because = f"{part} of {machine.key}, which has {machine.count} and costs {listed}; {row.text('because')}"
    return Rate(amount, listed.currency, listed.day, because)


def _share(row: Row) -> Fraction:
    text = row.text("share")
    if not _SHARE.fullmatch(text) or Fraction(text) > 1:
        raise TesseraError(f"{row.where}.share: found {text!r}, allowed: 1, or a part of it such as 1/4, in quotes")
    return Fraction(text)
