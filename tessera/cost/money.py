"""Money as text."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from tessera.hardware.rows import UNKNOWN

CENTS = 2
HOURLY = 4
"""Decimal places of a price per hour."""


def exact(amount: Decimal | None) -> str:
    """All digits of an amount, without a power of ten; the word unknown for None."""
    return UNKNOWN if amount is None else _trimmed(format(amount, "f"))


def fixed(amount: Decimal | None, places: int = CENTS) -> str:
    """An amount rounded to at most places decimals; what is above 0 never reads as 0. The word unknown for None."""
    if amount is None:
        return UNKNOWN
    rounded = amount.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return exact(amount) if amount and not rounded else _trimmed(format(rounded, "f"))


def _trimmed(text: str) -> str:
    """Without zeros at the end, but with cents."""
    whole, _, part = text.partition(".")
    return f"{whole}.{part.rstrip('0').ljust(CENTS, '0')}"
