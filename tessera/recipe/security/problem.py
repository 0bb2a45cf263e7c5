"""A problem of a recipe's security, and a component's values as its chart sees them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tessera.charts.known import known
from tessera.charts.merged import merged
from tessera.errors import TesseraError
from tessera.recipe.resolved import Component, ResolvedRecipe


@dataclass(frozen=True)
class Problem:
    """severity: error (refuses the stack) or warning; path: of the value; place: who set it, where known."""

    rule: str
    severity: str
    path: str
    text: str
    place: str = ""

    def __str__(self) -> str:
        said = f"{self.path}: {self.text}"
        return f"{self.place}: {said}" if self.place else said


def effective(component: Component) -> dict[str, Any]:
    """Its values over the chart's defaults; without these where the version is not recorded."""
    try:
        return merged(known(component.chart, component.version).tree, component.values)
    except TesseraError:
        return dict(component.values)


def found(recipe: ResolvedRecipe, rule: str, path: str, text: str, severity: str = "error") -> Problem:
    """A problem with the place that set the value."""
    origin = recipe.provenance.get(path)
    return Problem(rule, severity, path, text, origin.place if origin else "")


def of_chart(recipe: ResolvedRecipe, chart: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Path of the values of each component with a chart, and what they are."""
    for one in recipe.components:
        if one.chart == chart:
            yield f"components.{one.name}.values", effective(one)
