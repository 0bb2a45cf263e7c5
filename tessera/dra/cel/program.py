"""Expressions as closures: each node of the tree becomes a function of the variables.

The native engine's own evaluation is not used: it differs from cel-go where selectors do (a version and a text are
unequal there, an error here), and it has no map that answers an unknown domain with an empty one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tessera.dra.cel import selection, values
from tessera.dra.cel.functions import FUNCTIONS
from tessera.dra.cel.values import CelError, CelPanicError, Optional, TypeName, Uint, no_overload
from tessera.dra.semver import Version

Scope = Mapping[str, Any]
Program = Callable[[Scope], Any]

LAZY = frozenset({"_&&_", "_||_", "_?_:_", "or", "orValue", "_[_]", "_?._", "_[?_]", "@not_strictly_false"})
"""Functions that look at their arguments before all of them are evaluated, or that select."""


def build(node: Any) -> Program:
    """The program of a node. A run-time error is raised as CelError."""
    kind: str = node.WhichOneof("kind")
    return _BUILDERS[kind](getattr(node, kind))


def _constant(part: Any) -> Program:
    kind: str = part.WhichOneof("kind")
    found: Any = None if kind == "null" else getattr(part, kind)
    value = Uint(found) if kind == "uint" else found
    return lambda _: value


def _ident(part: Any) -> Program:
    name = part.name

    def read(scope: Scope) -> Any:
        if name not in scope:
            return TypeName(name)
        value = scope[name]
        if isinstance(value, CelError):
            raise value
        return value() if isinstance(value, Later) else value

    return read


def _select(part: Any) -> Program:
    operand, field = build(part.operand), part.field
    if part.test_only:
        return lambda scope: selection.has(operand(scope), field)
    return lambda scope: selection.read(operand(scope), field)


def _list(part: Any) -> Program:
    elements, optional = [build(one) for one in part.elements], set(part.optional_indices)

    def make(scope: Scope) -> list[Any]:
        found: list[Any] = []
        for index, element in enumerate(elements):
            value = element(scope)
            found.extend(value.some if index in optional else (value,))
        return found

    return make


def _struct(part: Any) -> Program:
    entries = [(build(entry.key), build(entry.value), entry.optional) for entry in part.entries]

    def make(scope: Scope) -> values.Literal:
        found = values.Literal()
        for key, value, optional in entries:
            name, held = values.key(key(scope)), value(scope)
            if not optional or held.some:
                found[name] = held.some[0] if optional else held
        return found

    return make


def _comprehension(part: Any) -> Program:
    if part.iter_range.WhichOneof("kind") == "list" and not part.iter_range.list.elements:
        return _bound(part)
    items, start = build(part.iter_range), build(part.accu_init)
    goes_on, step, result = (build(one) for one in (part.loop_condition, part.loop_step, part.result))
    item, total = part.iter_var, part.accu_var

    def fold(scope: Scope) -> Any:
        whole = items(scope)
        if not isinstance(whole, list | dict):
            raise no_overload("comprehension", whole)
        inner = {**scope, total: _kept(start, scope)}
        for one in whole:
            inner[item] = one[1] if isinstance(one, tuple) else one
            if _kept(goes_on, inner) is False:
                break
            inner[total] = _kept(step, inner)
        inner.pop(item, None)
        return result({**scope, total: inner[total]})

    return fold


def _bound(part: Any) -> Program:
    """cel.bind: what nothing reads is never evaluated."""
    start, result, name = build(part.accu_init), build(part.result), part.accu_var
    return lambda scope: result({**scope, name: Later(start, scope)})


class Later:
    """A value that is found out when it is first read."""

    def __init__(self, program: Program, scope: Scope) -> None:
        self._program: Program | None = program
        self._scope, self._value = scope, None

    def __call__(self) -> Any:
        """The value. Raises CelError, again each time."""
        if self._program is not None:
            self._value, self._program = self._program(self._scope), None
        return self._value


def _kept(program: Program, scope: Scope) -> Any:
    """A value, or the error in its place: a later step may absorb it."""
    try:
        return program(scope)
    except CelError as error:
        return error


def _call(part: Any) -> Program:
    arguments = [build(one) for one in (*((part.target,) if part.HasField("target") else ()), *part.args)]
    if part.function in _LAZY:
        return _LAZY[part.function](*arguments)
    if part.function == "@in" and _is_constant(part.args[1]):
        return _member(*arguments)
    function = FUNCTIONS[part.function]
    if len(arguments) == 2:
        left, right = arguments
        return lambda scope: function(left(scope), right(scope))
    return lambda scope: function(*(argument(scope) for argument in arguments))


def _is_constant(node: Any) -> bool:
    return node.WhichOneof("kind") == "list" and all(one.WhichOneof("kind") == "const" for one in node.list.elements)


def _member(item: Program, items: Program) -> Program:
    """Membership in a list of constants is looked up in a hash table, which a Go value with lists in it can't be."""

    def judge(scope: Scope) -> bool:
        value, whole = item(scope), items(scope)
        if whole and isinstance(value, Version):
            raise CelPanicError("internal error: a Semver can't be looked up in a list of constants")
        return values.contains(value, whole)

    return judge


def _logic(name: str, decisive: bool) -> Callable[[Program, Program], Program]:
    """A decided side absorbs the error of the other one, in either order."""

    def make(left: Program, right: Program) -> Program:
        def judge(scope: Scope) -> Any:
            first, second = _kept(left, scope), None
            if first is not decisive:
                second = _kept(right, scope)
            if first is decisive or second is decisive:
                return decisive
            for one in (first, second):
                if isinstance(one, CelError):
                    raise one
                if not isinstance(one, bool):
                    raise no_overload(name, one)
            return not decisive

        return judge

    return make


def _choice(condition: Program, yes: Program, no: Program) -> Program:
    def choose(scope: Scope) -> Any:
        chosen = condition(scope)
        if not isinstance(chosen, bool):
            raise no_overload("_?_:_", chosen)
        return yes(scope) if chosen else no(scope)

    return choose


def _alternative(unwrap: bool) -> Callable[[Program, Program], Program]:
    def make(optional: Program, other: Program) -> Program:
        def choose(scope: Scope) -> Any:
            found = optional(scope)
            if not isinstance(found, Optional):
                raise no_overload("orValue" if unwrap else "or", found)
            if not found.some:
                return other(scope)
            return found.some[0] if unwrap else found

        return choose

    return make


_LAZY: Mapping[str, Callable[..., Program]] = {
    "_&&_": _logic("_&&_", decisive=False),
    "_||_": _logic("_||_", decisive=True),
    "_?_:_": _choice,
    "or": _alternative(unwrap=False),
    "orValue": _alternative(unwrap=True),
    "_[_]": lambda whole, index: lambda scope: selection.read(whole(scope), index(scope)),
    "_?._": lambda whole, index: lambda scope: selection.maybe(whole(scope), index(scope)),
    "_[?_]": lambda whole, index: lambda scope: selection.maybe(whole(scope), index(scope)),
    "@not_strictly_false": lambda condition: lambda scope: _kept(condition, scope) is not False,
}

_BUILDERS: Mapping[str, Callable[[Any], Program]] = {
    "const": _constant,
    "ident": _ident,
    "select": _select,
    "call": _call,
    "list": _list,
    "struct": _struct,
    "comprehension": _comprehension,
}
