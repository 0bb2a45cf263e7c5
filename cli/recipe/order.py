"""`tessera recipe order`."""

from __future__ import annotations

from cli.output import Json, emit
from cli.recipe.source import of_recipe
from tessera.recipe.resolved import ResolvedRecipe


@of_recipe
def order(
    recipe: ResolvedRecipe,
    json: Json = False,
) -> None:
    """Show the components in the order in which they are installed, and what each waits for."""
    rows = [
        {
            "place": place,
            "component": one.name,
            "chart": one.chart,
            "version": one.version,
            "after": ", ".join(one.after),
        }
        for place, one in enumerate(recipe.components, 1)
    ]
    emit(rows, ("place", "component", "chart", "version", "after"), json, "no components yet")
