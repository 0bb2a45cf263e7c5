"""Functions that take values of certain types only: attributes get to them unchecked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tessera.dra.cel.values import no_overload

Function = Callable[..., Any]
"""Of values; a method takes its receiver first."""


def typed(name: str, kinds: Sequence[type], body: Function) -> tuple[str, Function]:
    """A function of values of just these types; attributes get here unchecked."""

    def apply(*found: Any) -> Any:
        if tuple(map(type, found)) == tuple(kinds):
            return body(*found)
        raise no_overload(name, *found)

    return name, apply


def several(name: str, *ways: tuple[Sequence[type], Function]) -> tuple[str, Function]:
    """A function with an overload for each of several lists of types."""
    table = {tuple(kinds): body for kinds, body in ways}

    def apply(*found: Any) -> Any:
        body = table.get(tuple(map(type, found)))
        if body is None:
            raise no_overload(name, *found)
        return body(*found)

    return name, apply
