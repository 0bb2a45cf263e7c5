"""Defaults: the values of a chart with what they are by default, from values.yaml, its schema and the charts inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tessera.charts import kinds
from tessera.charts.keys import Path
from tessera.charts.schema_keys import SchemaKeys
from tessera.charts.tree import Tree, Value

LONGEST = 160
"""Letters of a default; of a longer text, or one of several lines, only the length is recorded."""


def leaves(said: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, Value]]:
    """Every leaf and every empty mapping or list of values.yaml, by path."""
    for key, value in said.items():
        here = (*path, key)
        if isinstance(value, Mapping) and value:
            yield from leaves(value, here)
        else:
            yield here, _value(value)


def _value(value: Any) -> Value:
    if isinstance(value, list):
        return Value("list", length=len(value))
    plain = None if isinstance(value, Mapping) else value
    templated = isinstance(value, str) and "{{" in value
    if isinstance(value, str) and (len(value) > LONGEST or "\n" in value):
        return Value("string", length=len(value), templated=templated)
    return Value(kinds.kind(value), plain, templated=templated)


def with_schema(values: Mapping[Path, Value], schema: SchemaKeys, subcharts: set[str]) -> dict[Path, Value]:
    """Values with the kinds and choices of the schema, and those that only the schema knows."""
    found = dict(values)
    maps = {path[:depth] for path in values for depth in range(1, len(path))}
    for path, said in schema.kinds.items():
        if path in found:
            own = found[path]
            both = said | {own.kind} if said and "any" not in said else {own.kind}
            if {"int", "float"} <= both and own.kind == "int" and "int" not in said:
                both.discard("int")  # the schema says number
            found[path] = replace(own, kind="|".join(sorted(both)), enum=schema.enums.get(path, ()))
        elif path not in maps and path not in schema.inner and path[0] not in subcharts:
            kind = "|".join(sorted(said)) or "any"
            found[path] = Value(kind, schema.defaults.get(path), "schema", enum=schema.enums.get(path, ()))
    return found


def with_subchart(values: dict[Path, Value], key: str, part: Tree) -> dict[Path, Value]:
    """Values of the chart and of one inside: what the outer one sets is the default."""
    found = dict(values)
    found.pop((key,), None)
    for path, value in part.values.items():
        here = (key, *path)
        if path[0] == "global" and path not in found and not any(path == other[: len(path)] for other in values):
            found[path] = replace(value, origin="subchart")
        if here in found and found[here].kind != "null":
            both = set(part.values[path].kind.split("|")) | set(found[here].kind.split("|"))
            found[here] = replace(found[here], kind="|".join(sorted(both - {"null"} or both)))
        elif not any(here == other[: len(here)] for other in values):
            found[here] = replace(value, origin="subchart" if value.origin == "own" else value.origin)
    return found
