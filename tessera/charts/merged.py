"""Merging: a chart's defaults under the values of a component, as Helm does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tessera.charts.refusals import at
from tessera.charts.tree import Subchart, Tree, Value

ITEM = "(an item of the default)"
"""Stands for each item of a default list, and for a long text: how much there is is known, what it says isn't."""


def merged(tree: Tree, values: Mapping[str, Any]) -> dict[str, Any]:
    """All values as templates see them. Lists are replaced whole; null takes a default away."""
    found: dict[str, Any] = {}
    for path in sorted(tree.values, key=len):
        node: Any = found
        for key in path[:-1]:
            node = node.setdefault(key, {}) if isinstance(node, dict) else None
        if isinstance(node, dict):
            node.setdefault(path[-1], _default(tree.values[path]))
    return _over(found, values)


def _default(value: Value) -> Any:
    if value.length:
        return [ITEM] * value.length if value.kind == "list" else ITEM
    if value.kind == "list":
        return []
    return {} if value.kind == "map" and value.origin != "schema" else value.default


def _over(under: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(under)
    for key, value in values.items():
        below = found.get(key)
        if value is None:
            found.pop(key, None)
        elif isinstance(value, Mapping):
            found[key] = _over(below if isinstance(below, Mapping) else {}, value)
        else:
            found[key] = value
    return found


def is_on(subchart: Subchart, values: Mapping[str, Any]) -> bool:
    """Whether a subchart is installed: only the first of its conditions that exists counts."""
    found = (at(values, path) for path in subchart.conditions)
    return next((value for value in found if isinstance(value, bool)), True)
