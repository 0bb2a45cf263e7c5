"""Reads plain values of which nobody knows yet whether their form is right; what is not is passed over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def listed(values: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key."""
    found = values.get(key)
    return list(found) if isinstance(found, list | tuple) else []


def rows(values: Mapping[str, Any], key: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The mappings in the list under a key, each with its place."""
    return ((at, row) for at, row in enumerate(listed(values, key)) if isinstance(row, Mapping))


def texts(values: Mapping[str, Any], key: str) -> Iterator[tuple[int, str]]:
    """The texts in the list under a key, each with its place."""
    return ((at, row) for at, row in enumerate(listed(values, key)) if isinstance(row, str))


def mapping(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The mapping under a key."""
    found = values.get(key)
    return found if isinstance(found, Mapping) else {}


def text(values: Mapping[str, Any], key: str) -> str | None:
    """The text under a key, unless it is empty."""
    found = values.get(key)
    return found if isinstance(found, str) and found else None
