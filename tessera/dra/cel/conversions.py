"""Sizes, types and conversions, and what optional values are made of."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

from tessera.dra.cel import values
from tessera.dra.cel.overloads import Function, typed
from tessera.dra.cel.values import CelError, Optional, TypeName, Uint, no_overload

LEAST_EXPONENT, MOST_EXPONENT = -4, 6
"""Of ten, between which a double is written without exponent."""


def _size(value: Any) -> int:
    if isinstance(value, str | bytes | list | dict):
        return len(value)
    raise no_overload("size", value)


def _number(kind: type) -> Function:
    def apply(value: Any) -> Any:
        try:
            if isinstance(value, float):
                return values.integer(math.trunc(value), kind)
            if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]+", value) and (kind is int or value[0] not in "+-"):
                return values.integer(int(value), kind)
        except (OverflowError, ValueError):
            raise CelError("integer overflow") from None
        if type(value) in (int, Uint):
            return values.integer(int(value), kind)
        raise _no_conversion(value, values.type_name(kind()))

    return apply


def _double(value: Any) -> float:
    if values.is_number(value):
        return float(value)
    if isinstance(value, str) and re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", value, re.ASCII):
        return float(value)
    raise _no_conversion(value, "double")


def _string(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _double_text(value)
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise CelError("invalid UTF-8 in bytes, cannot convert to string") from None
    raise _no_conversion(value, "string")


def _double_text(value: float) -> str:
    """As Go's shortest form: with an exponent from a million on, and below a ten-thousandth."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else f"{'+' if value > 0 else '-'}Inf"
    number = Decimal(repr(value)).normalize()
    exponent = number.adjusted()
    if LEAST_EXPONENT <= exponent < MOST_EXPONENT:
        return f"{number:f}"
    return f"{number.scaleb(-exponent):f}e{exponent:+03d}"


def _bool(value: Any) -> bool:
    words = {"1": True, "t": True, "true": True, "0": False, "f": False, "false": False}
    if isinstance(value, bool):
        return value
    cases = {form(word): sense for word, sense in words.items() for form in (str, str.upper, str.title)}
    if isinstance(value, str) and value in cases:
        return cases[value]
    raise _no_conversion(value, "bool")


def _bytes(value: Any) -> bytes:
    if isinstance(value, str | bytes):
        return value.encode() if isinstance(value, str) else value
    raise _no_conversion(value, "bytes")


def _no_conversion(value: Any, kind: str) -> CelError:
    return CelError(f"type conversion error from {values.type_name(value)!r} to {kind!r}")


CONVERSIONS = (
    ("size", _size),
    ("int", _number(int)),
    ("uint", _number(Uint)),
    ("double", _double),
    ("string", _string),
    ("bool", _bool),
    ("bytes", _bytes),
    ("dyn", lambda value: value),
    ("type", lambda value: TypeName(values.type_name(value))),
)


def _value(optional: Any) -> Any:
    if isinstance(optional, Optional) and optional.some:
        return optional.some[0]
    raise CelError("optional.none() dereference")


def _unless_zero(value: Any) -> Optional:
    if value is None or value in (0, "", b"", [], {}):
        return Optional()
    return Optional((value,))


OPTIONALS = (
    ("optional.of", lambda value: Optional((value,))),
    ("optional.none", Optional),
    ("optional.ofNonZeroValue", _unless_zero),
    ("value", _value),
    typed("hasValue", [Optional], lambda optional: bool(optional.some)),
)
