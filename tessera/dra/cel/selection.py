"""Selection from maps and lists: what is there, what is missing, and what is optional."""

from __future__ import annotations

from typing import Any

from tessera.dra.cel import values
from tessera.dra.cel.values import CelError, Domains, Optional, no_overload


def has(whole: Any, field: str) -> bool:
    """has(whole.field). A device has every domain, so that what is asked of an unknown one is false."""
    if isinstance(whole, Optional):
        return bool(whole.some) and has(whole.some[0], field)
    if isinstance(whole, dict):
        return isinstance(whole, Domains) or field in whole
    return False


def read(whole: Any, index: Any) -> Any:
    """whole[index] or whole.index: of a map, a list, or an optional one of them. Raises CelError."""
    if isinstance(whole, Optional):
        return maybe(whole, index)
    if isinstance(whole, Domains):
        return whole[index]
    if isinstance(whole, dict):
        if values.is_found(index, whole):
            return whole[values.key(index)]
        raise CelError(f"no such key: {index}")
    if isinstance(whole, list) and values.is_number(index) and int(index) == index:
        if 0 <= index < len(whole):
            return whole[int(index)]
        raise CelError(f"index out of bounds: {index}")
    raise no_overload("_[_]", whole, index)


def maybe(whole: Any, index: Any) -> Optional:
    """Selection where what is missing is no error."""
    if isinstance(whole, Optional):
        return maybe(whole.some[0], index) if whole.some else whole
    if isinstance(whole, list) and values.is_number(index):
        return Optional((read(whole, index),)) if 0 <= index < len(whole) else Optional()
    if isinstance(whole, dict) and not isinstance(whole, Domains) and not values.contains(index, whole):
        return Optional()
    return Optional((read(whole, index),)) if isinstance(whole, list | dict) else Optional()
