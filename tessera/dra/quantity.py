"""Kubernetes quantities, exactly.

Grammar from k8s.io/apimachinery/pkg/api/resource: a decimal number and one suffix.
"""

from __future__ import annotations

import re
from decimal import Decimal

from tessera.errors import TesseraError

_BINARY = {suffix: Decimal(1024) ** power for power, suffix in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)}
_DECIMAL = {
    "n": Decimal("1e-9"), "u": Decimal("1e-6"), "m": Decimal("1e-3"), "": Decimal(1), "k": Decimal("1e3"),
    "M": Decimal("1e6"), "G": Decimal("1e9"), "T": Decimal("1e12"), "P": Decimal("1e15"), "E": Decimal("1e18"),
}  # fmt: skip
_SUFFIXES = _BINARY | _DECIMAL
LONGEST_EXPONENT = 4
"""Letters of e+99 and the like; a quantity has at most 10^18 of anything."""

_FORM = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([KMGTPE]i|[numkMGTPE]?))", re.ASCII)


def parse(text: str) -> Decimal:
    """The number that a quantity stands for: parse("24G") is 24000000000, parse("1Ki") is 1024.

    Raises TesseraError where text is no quantity.
    """
    match = _FORM.fullmatch(text)
    if match is None or len(match[2] or "") > LONGEST_EXPONENT:
        raise TesseraError(f"{text!r} is no quantity; write a number with a suffix, such as 24G or 79Gi")
    number, exponent, suffix = match.groups()
    if exponent is not None:
        return Decimal(number + exponent)
    return Decimal(number) * _SUFFIXES[suffix]
