"""`tessera recipe vars`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.output import Json
from cli.recipe.source import of_recipe
from tessera.recipe.resolved import ResolvedRecipe


@of_recipe
def variables(
    recipe: ResolvedRecipe,
    pool: Annotated[str | None, typer.Option(help="One pool; all without it.")] = None,
    json: Json = False,
) -> None:
    """Print what the hosts of each pool need, as YAML for group_vars of a hand-written inventory."""
    import json as json_module

    import yaml

    found: dict[str, Any] = {one.name: dict(one.hosts) for one in recipe.pools if pool in (None, one.name)}
    if pool and not found:
        from tessera.errors import TesseraError
        from tessera.naming import unknown

        raise TesseraError(unknown("pool", pool, [one.name for one in recipe.pools]))
    said: Any = found[pool] if pool else found
    print(json_module.dumps(said, indent=2) if json else yaml.safe_dump(said, sort_keys=True), end="")
