"""Merging: a chart's defaults under the values of a component, as Helm does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tessera.charts.keys import at
from tessera.charts.parts import Chart, document
from tessera.charts.tree import Subchart, Tree


def merged(tree: Tree, values: Mapping[str, Any]) -> dict[str, Any]:
    """All values as templates see them, by what is recorded of a chart."""
    return over(tree.defaults, values)


def defaults(chart: Chart) -> dict[str, Any]:
    """The values of a chart's files, over those of the charts inside. Raises TesseraError where one can't be read."""
    below = {about.key: defaults(inner) for about, inner in chart.inside if inner}
    return over(below, document(chart.files, "values.yaml"))


def over(under: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Values over defaults: mappings merge, lists and all else are replaced whole, null takes a default away."""
    found = dict(under)
    for key, value in values.items():
        below = found.get(key)
        if value is None:
            found.pop(key, None)
        elif isinstance(value, Mapping):
            found[key] = over(below if isinstance(below, Mapping) else {}, value)
        else:
            found[key] = value
    return found


def is_on(subchart: Subchart, values: Mapping[str, Any]) -> bool:
    """Whether a subchart is installed: only the first of its conditions that exists counts."""
    found = (at(values, path) for path in subchart.conditions)
    return next((value for value in found if isinstance(value, bool)), True)
