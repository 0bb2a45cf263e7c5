"""Schemas: what a chart's values.schema.json says of each value: its kinds, its choices, and which maps are closed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tessera.charts.keys import Path

_KINDS = {
    "string": "string",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list",
    "object": "map",
    "null": "null",
}


@dataclass
class SchemaKeys:
    """kinds, enums: by path; strict: maps that refuse other keys; open: maps that say they take any."""

    kinds: dict[Path, set[str]] = field(default_factory=dict)
    enums: dict[Path, tuple[Any, ...]] = field(default_factory=dict)
    defaults: dict[Path, Any] = field(default_factory=dict)
    strict: set[Path] = field(default_factory=set)
    open: set[Path] = field(default_factory=set)
    inner: set[Path] = field(default_factory=set)


def read(schema: Mapping[str, Any]) -> SchemaKeys:
    """What a schema says. References to other files are taken as no restriction."""
    found = SchemaKeys()
    _read(schema, (), schema, found, frozenset())
    return found


def _read(said: Any, path: Path, root: Mapping[str, Any], found: SchemaKeys, above: frozenset[int]) -> None:
    """above: schemas that this one is inside of; one inside itself would have no end."""
    parts = {id(part): part for part in _parts(said, root, set())}
    if above & parts.keys():
        found.open.add(path)
        return
    _found(list(parts.values()), path, found)
    for part in parts.values():
        _keys(part, path, root, found, above | parts.keys())


def _found(parts: list[Mapping[str, Any]], path: Path, found: SchemaKeys) -> None:
    kinds = {kind for part in parts for kind in _kinds(part)}
    if path:
        found.kinds.setdefault(path, set()).update(kinds)
    choices = [part["enum"] for part in parts if isinstance(part.get("enum"), list)]
    if len(choices) == 1:
        found.enums[path] = tuple(choices[0])


def _keys(
    part: Mapping[str, Any], path: Path, root: Mapping[str, Any], found: SchemaKeys, above: frozenset[int]
) -> None:
    properties = part.get("properties")
    more = part.get("additionalProperties")
    if more is False and "patternProperties" not in part:
        found.strict.add(path)
    elif more is True or isinstance(more, Mapping) or "patternProperties" in part:
        found.open.add(path)
    if "default" in part and not isinstance(part["default"], Mapping | list):
        found.defaults.setdefault(path, part["default"])
    if isinstance(properties, Mapping):
        if properties:
            found.inner.add(path)
        for key, inner in properties.items():
            _read(inner, (*path, str(key)), root, found, above)


def _parts(said: Any, root: Mapping[str, Any], seen: set[int]) -> Iterator[Mapping[str, Any]]:
    """A schema and those that it is made of, each once."""
    if not isinstance(said, Mapping) or id(said) in seen:
        return
    seen.add(id(said))
    yield said
    if isinstance(said.get("$ref"), str):
        yield from _parts(_at(said["$ref"], root), root, seen)
    for word in ("oneOf", "anyOf", "allOf"):
        for one in said.get(word) or ():
            yield from _parts(one, root, seen)


def _at(reference: str, root: Mapping[str, Any]) -> Any:
    here: Any = root if reference.startswith("#") else {}
    for key in reference.lstrip("#/").split("/"):
        name = key.replace("~1", "/").replace("~0", "~")
        here = here.get(name) if isinstance(here, Mapping) and name else here
    return here


def _kinds(part: Mapping[str, Any]) -> Iterator[str]:
    said = part.get("type", ())
    for one in (said,) if isinstance(said, str) else said:
        yield _KINDS.get(str(one), "any")
