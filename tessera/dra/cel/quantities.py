"""Quantities and versions: the functions of k8s.io/apiserver/pkg/cel/library."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from tessera.dra import quantity, semver
from tessera.dra.cel.overloads import Function, several, typed
from tessera.dra.cel.values import CelError
from tessera.dra.quantity import Quantity
from tessera.dra.semver import Version
from tessera.errors import TesseraError


def _sound(read: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    try:
        return read(*arguments, **named)
    except TesseraError as error:
        raise CelError(str(error)) from None


def _is(read: Callable[..., Any], *arguments: Any, **named: Any) -> bool:
    try:
        read(*arguments, **named)
    except TesseraError:
        return False
    return True


def _semver(text: str, normalize: bool = False) -> Version:
    return _sound(semver.parse, text, normalize=normalize)  # type: ignore[no-any-return]


def _is_semver(text: str, normalize: bool = False) -> bool:
    return _is(semver.parse, text, normalize=normalize)


def _as_integer(amount: Quantity) -> int:
    if amount.integer is None:
        raise CelError("cannot convert value to integer")
    return amount.integer


def _compared(left: Any, right: Any) -> int:
    return left.compare(right) if isinstance(left, Quantity) else int(left > right) - int(left < right)


def _comparison(name: str, judge: Callable[[int], Any]) -> tuple[str, Function]:
    def apply(left: Any, right: Any) -> Any:
        return judge(_compared(left, right))

    return several(name, ([Quantity, Quantity], apply), ([Version, Version], apply))


QUANTITIES = (
    typed("quantity", [str], lambda text: _sound(quantity.read, text)),
    typed("isQuantity", [str], lambda text: _is(quantity.read, text)),
    typed("sign", [Quantity], lambda amount: amount.sign),
    typed("isInteger", [Quantity], lambda amount: amount.integer is not None),
    typed("asInteger", [Quantity], _as_integer),
    typed("asApproximateFloat", [Quantity], lambda amount: float(amount.amount)),
    several("add", ([Quantity, Quantity], Quantity.add), ([Quantity, int], lambda a, b: a.add(quantity.whole(b)))),
    several("sub", ([Quantity, Quantity], Quantity.sub), ([Quantity, int], lambda a, b: a.sub(quantity.whole(b)))),
    _comparison("compareTo", lambda order: order),
    _comparison("isGreaterThan", lambda order: order > 0),
    _comparison("isLessThan", lambda order: order < 0),
)

SEMVERS = (
    several("semver", ([str], _semver), ([str, bool], _semver)),
    several("isSemver", ([str], _is_semver), ([str, bool], _is_semver)),
    *(typed(name, [Version], operator.attrgetter(name)) for name in ("major", "minor", "patch")),
)
