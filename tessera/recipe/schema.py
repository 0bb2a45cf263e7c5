"""The JSON schema of a resolved recipe, as data, and a small reader of the part of JSON schema that it uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tessera.recipe.conditions import CLUSTER, OPTIONAL, POOL
from tessera.recipe.fields import OPERATORS, SEVERITIES

FORMAT = 1

_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_FREE = {"type": "object"}


def _object(properties: Mapping[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _map(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


_ORIGIN = {
    "layer": {**_TEXT, "description": "the layer's path below recipes/layers; overrides: the stack's own"},
    "file": _TEXT,
    "line": {"type": "integer", "minimum": 0, "description": "0 where unknown"},
    "because": _TEXT_OR_NULL,
    "source": _TEXT_OR_NULL,
}

_CONSTRAINT = _object(
    {
        "subject": _TEXT,
        "at least": {"type": ["string", "integer"]},
        "at most": {"type": ["string", "integer"]},
        "equals": {"type": ["string", "integer", "boolean"]},
        "one of": {"type": "array", "items": {"type": ["string", "integer", "boolean"]}, "minItems": 1},
        "present": {"type": "boolean"},
        "severity": {"enum": list(SEVERITIES)},
    },
    OPERATORS,
)

_POOL = _object(
    {
        "name": _TEXT,
        "size": {"type": "integer", "minimum": 0, "description": "count of nodes"},
        "criteria": _object(dict.fromkeys(POOL, _TEXT), POOL),
        "hosts": {**_FREE, "description": "what each host of the pool needs"},
        "constraints": _map({"$ref": "#/$defs/constraint"}),
        "machine": {**_TEXT_OR_NULL, "description": "instance type or board of each node; null where none is named"},
    }
)

_COMPONENT = _object(
    {
        "name": _TEXT,
        "chart": _TEXT,
        "version": _TEXT,
        "repository": _TEXT_OR_NULL,
        "namespace": _TEXT,
        "crds": {"type": ["boolean", "string", "array", "null"], "items": _TEXT},
        "values": _FREE,
        "after": {"type": "array", "items": _TEXT, "description": "components that must be ready before"},
    }
)

_CHART = _object({"chart": _TEXT, "version": _TEXT, "repository": _TEXT}, ("repository",))

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Resolved recipe",
    "description": "What a stack resolves to; docs/recipe.md tells it in words.",
    **_object(
        {
            "format": {"const": FORMAT},
            "criteria": _object(dict.fromkeys(CLUSTER, _TEXT), OPTIONAL),
            "pools": {"type": "array", "items": {"$ref": "#/$defs/pool"}, "description": "by name"},
            "components": {
                "type": "array",
                "items": {"$ref": "#/$defs/component"},
                "description": "each behind those that it comes after",
            },
            "control_plane": {"type": "object", "description": "settings of its parts; scheduler: of kube-scheduler"},
            "constraints": _map({"$ref": "#/$defs/constraint"}),
            "artifacts": {
                "type": "object",
                "properties": {"charts": _map(_CHART)},
                "required": ["charts"],
                "description": "what must be fetched, by kind; charts by component",
            },
            "provenance": {**_map({"$ref": "#/$defs/provenance"}), "description": "by path of a value"},
            "deleted": {**_map({"$ref": "#/$defs/provenance"}), "description": "by path of a value that is gone"},
            "digest": {**_TEXT, "pattern": "^[0-9a-f]{64}$", "description": "sha256, without the provenance"},
        }
    ),
    "$defs": {
        "pool": _POOL,
        "component": _COMPONENT,
        "constraint": _CONSTRAINT,
        "provenance": _object(
            {**_ORIGIN, "replaced": {"type": "array", "items": {"$ref": "#/$defs/replaced"}}},
        ),
        "replaced": _object({**_ORIGIN, "value": {"description": "null: it had been deleted"}}),
    },
}

_TYPES: Mapping[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


def problems(value: Any, schema: Mapping[str, Any] = SCHEMA, at: str = "") -> Iterator[str]:
    """Where a value breaks the schema."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    wrong = _wrong(value, schema)
    if wrong:
        yield f"{at or 'the recipe'}: {wrong}"
    elif isinstance(value, dict):
        properties, more = schema.get("properties", {}), schema.get("additionalProperties", {})
        yield from (
            f"{at or 'the recipe'}: {key!r} is missing" for key in schema.get("required", ()) if key not in value
        )
        for key, inner in value.items():
            if key not in properties and more is False:
                yield f"{at or 'the recipe'}: unknown key {key!r}"
            else:
                yield from problems(inner, properties.get(key, more or {}), f"{at}.{key}".lstrip("."))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from problems(inner, schema.get("items", {}), f"{at}[{index}]")


def _wrong(value: Any, schema: Mapping[str, Any]) -> str:
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        return f"must be of type {' or '.join(kinds)}; found {value!r}"
    allowed = schema.get("enum", [schema["const"]] if "const" in schema else [value])
    if value not in allowed or isinstance(value, bool) != isinstance(allowed[0], bool):
        return f"found {value!r}, allowed: {', '.join(map(repr, allowed))}"
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        return f"must match {schema['pattern']}; found {value!r}"
    if "minimum" in schema and isinstance(value, int) and value < schema["minimum"]:
        return f"must be at least {schema['minimum']}; found {value!r}"
    if isinstance(value, list) and len(value) < schema.get("minItems", 0):
        return "must not be empty"
    return ""


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and not (kind == "integer" and isinstance(value, bool))
