"""Mistakes of form: what pydantic finds, in our words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAliasType, get_args, get_origin

from pydantic import BaseModel, ValidationError

from tessera.spec.allowed import ERROR, SECRET, Allowed
from tessera.spec.model import SETTINGS, WORD
from tessera.spec.problem import Path, Problem, shown, unknown

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

DERIVED = ("accelerator", "architecture")
_KINDS = {"model_type": "a mapping", "dict_type": "a mapping", "tuple_type": "a list"}
_NAMES = {"pools": "pool", "classes": "class", "tenants": "tenant", "workloads": "workload"}


def form_problems(error: ValidationError, top: type[BaseModel]) -> list[Problem]:
    """A problem for each error of a validation of top."""
    return [_problem(row, top) for row in error.errors(include_url=False)]


def _problem(row: ErrorDetails, top: type[BaseModel]) -> Problem:
    place = row["loc"]
    is_key = bool(place) and place[-1] == "[key]"
    path = tuple(part for part in (place[:-1] if is_key else place) if part not in (WORD, SETTINGS))
    return Problem(path, _text(row, top, is_key))


def _text(row: ErrorDetails, top: type[BaseModel], is_key: bool) -> str:
    kind, found, place = row["type"], row["input"], row["loc"]
    if kind == ERROR:
        return f"{'key: ' if is_key else ''}{_not_allowed(found, row['ctx'])}"
    if kind == "missing":
        said = _said(_shape(top, place[:-1]), str(place[-1]))
        return f"missing; allowed: {said}" if said else "missing"
    if kind == "extra_forbidden":
        return _extra(str(place[-1]), tuple(_fields(_shape(top, place[:-1]))))
    if kind in _KINDS:
        return f"found {shown(found)}; allowed: {_KINDS[kind]}"
    return f"found {shown(found)}: {row['msg'][0].lower()}{row['msg'][1:]}"


def _not_allowed(found: Any, context: dict[str, Any]) -> str:
    words = tuple(filter(None, context["words"].split("|")))
    if not words:
        found_text = "text that is not encrypted" if context["word"] == SECRET else shown(found)
        return f"found {found_text}; allowed: {context['said']}"
    choices = context["said"] or ", ".join(sorted(words))
    if not isinstance(found, str):
        return f"found {shown(found)}; allowed: {choices if context['said'] else _texts(words)}"
    near = tuple(filter(None, context["near"].split("|")))
    if found in near:
        return f"{context['word']} {found!r} needs settings; allowed: {choices}"
    return f"{unknown(context['word'], found, words + near).partition('; allowed: ')[0]}; allowed: {choices}"


def _texts(words: tuple[str, ...]) -> str:
    """Words that are numbers to YAML unless they stand in quotes."""
    return ", ".join(f'"{word}"' if word[0].isdigit() else word for word in sorted(words))


def _extra(key: str, keys: tuple[str, ...]) -> str:
    if key in DERIVED and "board" in keys:
        return f"is derived from the pool's instance or board and never written; take {key} out"
    return unknown("key", key, keys)


def _said(shape: Any, key: str) -> str:
    """What a key that is missing may hold."""
    field = _fields(shape).get(key)
    if field is None:
        return ""
    if rules := [part for part in field.metadata if isinstance(part, Allowed)]:
        return rules[0].said or ", ".join(sorted(get_args(field.annotation)))
    if get_origin(field.annotation) is tuple:
        return f"a list{f' of {key}' if key in _NAMES else ''}"
    return "a mapping"


def _fields(shape: Any) -> dict[str, Any]:
    if not (isinstance(shape, type) and issubclass(shape, BaseModel)):
        return {}
    return {field.alias or key: field for key, field in shape.model_fields.items()}


def _shape(top: type[BaseModel], place: Path) -> Any:
    """The type of what stands at a place."""
    return _walk(top, tuple("*" if isinstance(part, int) else part for part in place))


@lru_cache(maxsize=1024)
def _walk(top: type[BaseModel], place: tuple[str, ...]) -> Any:
    shape: Any = top
    for part in place:
        shape = next(_inner(shape, part), None)
    return _model(shape)


def _inner(shape: Any, part: str) -> Iterator[Any]:
    """The type below a type."""
    for choice in _choices(shape):
        if part in (WORD, SETTINGS):
            yield choice
        elif field := _fields(choice).get(part):
            yield field.annotation
        elif get_origin(choice) in (tuple, dict):
            yield get_args(choice)[0 if get_origin(choice) is tuple else 1]


def _model(shape: Any) -> Any:
    return next((choice for choice in _choices(shape) if _fields(choice)), shape)


def _choices(shape: Any) -> Iterator[Any]:
    """The types that a union, an alias or an annotated type stands for."""
    if isinstance(shape, TypeAliasType):
        yield from _choices(shape.__value__)
    elif get_origin(shape) is Annotated:
        yield from _choices(get_args(shape)[0])
    elif get_origin(shape) in (tuple, dict) or isinstance(shape, type):
        yield shape
    else:
        for part in get_args(shape):
            yield from _choices(part)
