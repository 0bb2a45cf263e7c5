"""Kubernetes quantities, exactly.

Grammar and arithmetic from k8s.io/apimachinery/pkg/api/resource: a decimal number and one suffix. A quantity is held
as a whole number times a power of ten where both are small, and else as a large decimal, which is never an integer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import ROUND_UP, Context, Decimal
from functools import cache

from tessera.errors import TesseraError

_BINARY = {suffix: 10 * power for power, suffix in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
LONGEST_EXPONENT = 4
"""Letters of e+99 and the like; a quantity has at most 10^18 of anything."""

_FORM = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+)|([KMGTPE]i|[numkMGTPE]?))", re.ASCII)
_LARGEST = 2**63 - 1
_DIGITS, _BINARY_DIGITS = 18, 15
"""Digits that surely fit an int64, and those beside a binary suffix."""

_NANO = -9
_EXACT = Context(prec=400, Emax=9999, Emin=-9999)


@dataclass(frozen=True)
class Quantity:
    """An amount of something, at least in billionths. Equal amounts are equal however they are written.

    small: whether it is held as number times 10^scale; a large decimal has no integer value, whatever it is.
    computed: whether add or sub made it; Kubernetes' CEL can't find such a one equal to anything on its left.
    """

    amount: Decimal
    small: bool = True
    scale: int = 0
    computed: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.amount == other.amount

    def __hash__(self) -> int:
        return hash(self.amount)

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self.amount > 0) - (self.amount < 0)

    @property
    def integer(self) -> int | None:
        """The amount as an int of 64 bits. None where it is none, or is held as a large decimal."""
        if not self.small or self.scale < 0 or self.amount.copy_abs() > _LARGEST:
            return None
        return int(self.amount)

    def compare(self, other: Quantity) -> int:
        """-1, 0 or 1."""
        return (self.amount > other.amount) - (self.amount < other.amount)

    def add(self, other: Quantity) -> Quantity:
        """The sum; small where both are and the sum fits."""
        amount = _EXACT.add(self.amount, other.amount)
        if not (self.small and other.small):
            return Quantity(amount, small=False, computed=True)
        if not other.amount or not self.amount:
            return replace(self if not other.amount else other, computed=True)
        scale = min(self.scale, other.scale)
        small = all(_fits(one, scale) for one in (amount, self.amount, other.amount))
        return Quantity(amount, small, scale, computed=True)

    def sub(self, other: Quantity) -> Quantity:
        """The difference."""
        return self.add(Quantity(other.amount.copy_negate(), other.small, other.scale))


def whole(number: int) -> Quantity:
    """The quantity of a plain number."""
    return Quantity(Decimal(number))


def parse(text: str) -> Decimal:
    """The number that a quantity stands for: parse("24G") is 24000000000, parse("1Ki") is 1024.

    Raises TesseraError where text is no quantity, or has no digit, although Kubernetes takes "G" for nothing.
    """
    if not re.match(r"[+-]?\.?\d", text, re.ASCII):
        raise _refused(text)
    return read(text).amount


@cache
def read(text: str) -> Quantity:
    """The quantity that Kubernetes makes of a text. Raises TesseraError where it is none."""
    match = _FORM.fullmatch(text)
    if not text or match is None or len(match[4] or "") + 1 > LONGEST_EXPONENT:
        raise _refused(text)
    sign, number, fraction = match[1], match[2].lstrip("0") or "0", match[3] or ""
    digits = int(sign + number + fraction)
    if match[5] in _BINARY:
        found = _binary(digits, len(number), len(fraction), _BINARY[match[5]])
    else:
        found = _decimal(digits, len(number), len(fraction), int(match[4]) if match[4] else _DECIMAL[match[5]])
    if not found.small and not (match[2] or fraction):  # "Ki" stands for nothing, but "Ei" is an error
        raise _refused(text)
    return found


def _refused(text: str) -> TesseraError:
    return TesseraError(f"{text!r} is no quantity; write a number with a suffix, such as 24G or 79Gi")


def _decimal(digits: int, before: int, behind: int, exponent: int) -> Quantity:
    scale = exponent - behind
    amount = Decimal(digits).scaleb(scale, _EXACT)
    small = before + behind <= _DIGITS and scale >= _NANO
    return Quantity(amount, scale=scale) if small else Quantity(_rounded(amount), small=False)


def _binary(digits: int, before: int, behind: int, exponent: int) -> Quantity:
    amount = Decimal(digits * 2**exponent).scaleb(-behind, _EXACT)
    if not behind and _BINARY_DIGITS - before - int(exponent * 3 / 10) - 1 >= 0:
        return Quantity(amount)
    largest = Decimal(_LARGEST)
    return Quantity(min(max(_rounded(amount), -largest), largest), small=False)


def _rounded(amount: Decimal) -> Decimal:
    """To billionths, away from zero."""
    return amount.quantize(Decimal(1).scaleb(_NANO), ROUND_UP, _EXACT)


def _fits(amount: Decimal, scale: int) -> bool:
    return _EXACT.scaleb(amount.copy_abs(), -scale) <= _LARGEST
