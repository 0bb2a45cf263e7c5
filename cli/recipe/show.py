"""`tessera recipe show`."""

from __future__ import annotations

from typing import Any

from cli.output import Json, emit
from cli.recipe.changes import short
from cli.recipe.source import of_recipe
from tessera.recipe.resolved import ResolvedRecipe


@of_recipe
def show(
    recipe: ResolvedRecipe,
    json: Json = False,
) -> None:
    """Show every value of the recipe, long ones cut, and the layer that set it; --json prints the recipe itself."""
    if json:
        print(recipe.to_json(), end="")
        return
    from tessera.recipe.lock import locked_digest

    print(f"digest    {recipe.digest}")
    print(f"locked as {locked_digest(recipe)} (without the pools' counts of nodes)")
    emit([_row(path, value, recipe) for path, value in _values(recipe)], ("path", "value", "layer"), as_json=False)


def _values(recipe: Any) -> list[tuple[str, Any]]:
    from tessera.recipe.why import why

    return [(path, why(recipe, path)[0].value) for path in sorted(recipe.provenance)]


def _row(path: str, value: Any, recipe: Any) -> dict[str, Any]:
    return {"path": path, "value": short(value), "layer": recipe.provenance[path].layer}
