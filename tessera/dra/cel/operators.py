"""Operators, apart from those that look at their sides before both are evaluated."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from tessera.dra.cel import values
from tessera.dra.cel.overloads import Function
from tessera.dra.cel.values import CelError, no_overload


def _negative(value: Any) -> Any:
    if type(value) is int:
        return values.integer(-value)
    if isinstance(value, float):
        return -value
    raise no_overload("-_", value)


def _not(value: Any) -> bool:
    if isinstance(value, bool):
        return not value
    raise no_overload("!_", value)


def _ordered(name: str, judge: Callable[[int], bool]) -> tuple[str, Function]:
    def apply(left: Any, right: Any) -> bool:
        if any(isinstance(side, float) and math.isnan(side) for side in (left, right)):
            raise CelError("NaN values cannot be ordered")
        return judge(values.order(left, right, name))

    return name, apply


add: Function = values.arithmetic("_+_", operator.add, operator.add)
OPERATORS = (
    ("_==_", values.equal),
    ("_!=_", values.unequal),
    ("@in", values.contains),
    ("!_", _not),
    ("-_", _negative),
    _ordered("_<_", lambda order: order < 0),
    _ordered("_<=_", lambda order: order <= 0),
    _ordered("_>_", lambda order: order > 0),
    _ordered("_>=_", lambda order: order >= 0),
    ("_+_", add),
    ("_-_", values.arithmetic("_-_", operator.sub, operator.sub)),
    ("_*_", values.arithmetic("_*_", operator.mul, operator.mul)),
    ("_/_", values.arithmetic("_/_", values.divide, values.divide_doubles)),
    ("_%_", values.arithmetic("_%_", values.remainder, None)),
)
