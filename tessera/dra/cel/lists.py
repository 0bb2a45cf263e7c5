"""Lists: Kubernetes' functions, and positions, which strings have as well."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tessera.dra.cel import values
from tessera.dra.cel.operators import add
from tessera.dra.cel.overloads import Function, typed
from tessera.dra.cel.strings import index_of, last_index_of
from tessera.dra.cel.values import CelError, no_overload


def _position(items: list[Any], item: Any) -> int:
    return next((index for index, one in enumerate(items) if not values.unequal(one, item)), -1)


def _last_position(items: list[Any], item: Any) -> int:
    found = [index for index, one in enumerate(items) if not values.unequal(one, item)]
    return found[-1] if found else -1


def _extreme(name: str, sign: int) -> Function:
    def apply(items: list[Any]) -> Any:
        if not items:
            raise CelError(f"{name} called on empty list")
        _comparable(name, items)
        best = items[0]
        for item in items[1:]:
            best = item if _order(item, best) == sign else best
        return best

    return apply


def _sum(items: list[Any]) -> Any:
    total = items[0] if items else 0
    for item in items[1:]:
        total = add(total, item)
    return total


def _is_sorted(items: list[Any]) -> bool:
    _comparable("isSorted", items)
    return all(_order(a, b) <= 0 for a, b in pairwise(items))


def _comparable(name: str, items: list[Any]) -> None:
    for item in items:
        if not isinstance(item, int | float | str | bytes):
            raise no_overload(name, item)


def _order(left: Any, right: Any) -> int:
    """0 as well where the two can't be compared."""
    try:
        return values.order(left, right, "")
    except CelError:
        return 0


def _positions(name: str, of_list: Function, of_text: Function) -> tuple[str, Function]:
    def apply(whole: Any, *rest: Any) -> Any:
        if isinstance(whole, list) and len(rest) == 1:
            return of_list(whole, *rest)
        if isinstance(whole, str) and tuple(map(type, rest)) in ((str,), (str, int)):
            return of_text(whole, *rest)
        raise no_overload(name, whole, *rest)

    return name, apply


LISTS = (
    _positions("indexOf", _position, index_of),
    _positions("lastIndexOf", _last_position, last_index_of),
    typed("isSorted", [list], _is_sorted),
    typed("sum", [list], _sum),
    typed("min", [list], _extreme("min", -1)),
    typed("max", [list], _extreme("max", 1)),
)
