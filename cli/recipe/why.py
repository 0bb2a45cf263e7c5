"""`tessera recipe why`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.output import Json
from cli.recipe.source import of_recipe
from tessera.recipe.resolved import ResolvedRecipe


@of_recipe
def why(
    recipe: ResolvedRecipe,
    path: Annotated[str, typer.Argument(help="Path of a value, or of what is above several.")],
    json: Json = False,
) -> None:
    """Say which layer set a value, on which line, for what reason, and which values it replaced."""
    import json as json_module

    from tessera.recipe.why import why as reasons

    found = reasons(recipe, path)
    if json:
        rows = [
            {"path": one.path, "value": one.value, "deleted": one.deleted, **one.provenance.document()} for one in found
        ]
        print(json_module.dumps(rows, indent=2))
        return
    for one in found:
        print(f"{one.path}: {'deleted' if one.deleted else one.value}")
        _print_origin(one.provenance)
        for old in reversed(one.provenance.replaced):
            print(f"  replaced {getattr(old, 'value', '')}")
            _print_origin(old, "    ")


def _print_origin(origin: Any, indent: str = "  ") -> None:
    print(f"{indent}set by {origin.layer} ({origin.file}:{origin.line})")
    print(f"{indent}because {origin.because}")
    if origin.source:
        print(f"{indent}source: {origin.source}")
