"""`tessera recipe show`."""

from __future__ import annotations

from typing import Any

from cli.output import Json, emit
from cli.recipe.source import of_recipe
from tessera.recipe.resolved import ResolvedRecipe

_WIDEST = 72
"""Letters of a value in the table."""


@of_recipe
def show(
    recipe: ResolvedRecipe,
    json: Json = False,
) -> None:
    """Show every value of the recipe, long ones cut, and the layer that set it; --json prints the recipe itself."""
    if json:
        print(recipe.to_json(), end="")
        return
    print(f"digest {recipe.digest}")
    emit([_row(path, value, recipe) for path, value in _values(recipe)], ("path", "value", "layer"), as_json=False)


def _values(recipe: Any) -> list[tuple[str, Any]]:
    from tessera.recipe.why import why

    return [(path, why(recipe, path)[0].value) for path in sorted(recipe.provenance)]


def _row(path: str, value: Any, recipe: Any) -> dict[str, Any]:
    return {"path": path, "value": _short(value), "layer": recipe.provenance[path].layer}


def _short(value: Any) -> Any:
    """A file, or a list of many words, would make every row as wide as itself."""
    if not isinstance(value, str | list):
        return value
    first, *more = str(value).splitlines() or [""]
    return first if not more and len(first) <= _WIDEST else f"{first[: _WIDEST - 4]} ..."
