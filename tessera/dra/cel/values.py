"""The values of an expression, and how they are equal, ordered and added: as cel-go does it, which the scheduler runs.

bool, int, float, str, bytes, None, list and dict stand for themselves; the rest has a class here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tessera.dra.quantity import Quantity
from tessera.dra.semver import Version

LEAST, MOST = -(2**63), 2**63 - 1
"""The bounds of an int."""


class CelError(Exception):
    """A run-time error of an expression."""


class CelPanicError(Exception):
    """An error that ends the whole evaluation: && and || do not absorb it."""


class Uint(int):
    """A number without sign."""


@dataclass(frozen=True)
class Optional:
    """An optional value: some holds it, if there is one."""

    some: tuple[Any, ...] = ()


@dataclass(frozen=True)
class TypeName:
    """A type as a value: type(1)."""

    name: str


class Literal(dict[Any, Any]):
    """A map that is written in the expression. Go can't look up a Semver in it."""


class Domains(dict[str, Any]):
    """Attributes or capacities by domain. To read a domain that a device lacks gives an empty map."""

    def __missing__(self, key: object) -> dict[str, Any]:
        return {}


_NAMES: Mapping[type, str] = {
    bool: "bool",
    Uint: "uint",
    int: "int",
    float: "double",
    str: "string",
    bytes: "bytes",
    list: "list",
    dict: "map",
    Domains: "map",
    Literal: "map",
    type(None): "null_type",
    Optional: "optional_type",
    TypeName: "type",
    Quantity: "kubernetes.Quantity",
    Version: "kubernetes.Semver",
}


def type_name(value: Any) -> str:
    """What CEL calls the type of a value."""
    return _NAMES[type(value)]


def no_overload(function: str, *arguments: Any) -> CelError:
    """The error of a function that does not take values of these types."""
    return CelError(f"no such overload: {function}({', '.join(map(type_name, arguments))})")


def is_number(value: Any) -> bool:
    """Whether a value is an int, an uint or a double; a bool is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def equal(left: Any, right: Any) -> bool:
    """left == right. Values of different types differ, but a Quantity or Semver on the left does not take others."""
    if left is None or right is None:
        return left is right
    if isinstance(left, Quantity | Version) and not _comparable(left, right):
        raise no_overload("_==_", left, right)
    if is_number(left) and is_number(right):
        return bool(left == right)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(_not_unequal(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_not_unequal(left[key], right[key]) for key in left)
    return type(left) is type(right) and bool(left == right)


def _comparable(left: Quantity | Version, right: Any) -> bool:
    """A sum is another Go type than the quantity that a device publishes, and only taken on the left."""
    return type(left) is type(right) and not (isinstance(right, Quantity) and right.computed)


def _not_unequal(left: Any, right: Any) -> bool:
    try:
        return equal(left, right)
    except CelError:  # within a list or map, an error is no difference
        return True


def unequal(left: Any, right: Any) -> bool:
    """left != right: true as well where the two can't be compared."""
    try:
        return not equal(left, right)
    except CelError:
        return True


def contains(item: Any, whole: Any) -> bool:
    """item in whole, a list or a map."""
    if isinstance(whole, dict):
        return is_found(item, whole)
    if isinstance(whole, list):
        return any(not unequal(item, one) for one in whole)
    raise no_overload("@in", item, whole)


def is_found(item: Any, whole: dict[Any, Any]) -> bool:
    """Whether a map has a key. Raises CelPanicError."""
    if isinstance(whole, Literal) and isinstance(item, Version):
        raise CelPanicError("internal error: a Semver can't be looked up in a map")
    return isinstance(item, int | float | str) and key(item) in whole


def key(value: Any) -> Any:
    """The key of a Python map for a key of CEL: true is not 1."""
    return ("bool", value) if isinstance(value, bool) else value


def order(left: Any, right: Any, function: str) -> int:
    """-1, 0 or 1. function: the operator's name, for the error."""
    if (is_number(left) and is_number(right)) or (type(left) is type(right) and isinstance(left, bool | str | bytes)):
        return int(left > right) - int(left < right)
    raise no_overload(function, left, right)


def integer(value: int, kind: type = int) -> Any:
    """A number within the bounds of its type."""
    if kind is Uint:
        if 0 <= value < 2**64:
            return Uint(value)
        raise CelError("unsigned integer overflow")
    if LEAST <= value <= MOST:
        return value
    raise CelError("integer overflow")


def arithmetic(name: str, whole: Callable[[int, int], int], broken: Callable[[float, float], float] | None) -> Any:
    """The operator on two numbers of one type; broken: on doubles, where there is one."""

    def apply(left: Any, right: Any) -> Any:
        if type(left) is type(right):
            if type(left) in (int, Uint):
                return integer(whole(left, right), type(left))
            if isinstance(left, float) and broken is not None:
                return broken(left, right)
            if name == "_+_" and isinstance(left, str | bytes | list):
                return left + right
        raise no_overload(name, left, right)

    return apply


def divide(left: int, right: int) -> int:
    """Towards zero, as in Go."""
    if right == 0:
        raise CelError("division by zero")
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def remainder(left: int, right: int) -> int:
    """With the sign of the left side, as in Go."""
    if right == 0:
        raise CelError("modulus by zero")
    return left - right * divide(left, right)


def divide_doubles(left: float, right: float) -> float:
    """A division by zero is infinite or no number."""
    if right:
        return left / right
    return float("nan") if left == 0 or math.isnan(left) else math.copysign(float("inf"), left)
