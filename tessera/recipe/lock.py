"""The lock: what a stack resolved to when its author last agreed, kept beside the stack file.

A new checkout of Tessera resolves to something else only where the author updates the lock. The count of a
pool's nodes is the author's own and not locked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tessera import data
from tessera.errors import TesseraError
from tessera.recipe import canonical
from tessera.recipe.diff import Change, diff
from tessera.recipe.resolved import ResolvedRecipe

FORMAT = 1


@dataclass(frozen=True)
class Lock:
    """digest: of the recipe without counts of nodes; hardware: newest date of the hardware tables (ISO)."""

    digest: str
    hardware: str
    recipe: ResolvedRecipe

    def text(self) -> str:
        """The file's content, the same byte for byte for the same recipe."""
        charts = {one.name: f"{one.chart} {one.version}" for one in self.recipe.components}
        content = {
            "format": FORMAT,
            "digest": self.digest,
            "hardware": self.hardware,
            "charts": charts,
            "recipe": self.recipe.substance(),
        }
        return json.dumps(content, indent=2, sort_keys=True) + "\n"


def lock(recipe: ResolvedRecipe) -> Lock:
    """The lock of a recipe as it resolves now."""
    return Lock(locked_digest(recipe), newest_hardware(), _uncounted(recipe))


def locked_digest(recipe: ResolvedRecipe) -> str:
    """sha256 of what a lock covers: it stays as pools grow and shrink."""
    return canonical.digest(_uncounted(recipe).substance())


def _uncounted(recipe: ResolvedRecipe) -> ResolvedRecipe:
    return replace(recipe, pools=tuple(replace(pool, size=0) for pool in recipe.pools))


def read(text: str, file: str) -> Lock:
    """The lock of a file's content. Raises TesseraError where it is damaged or of a newer Tessera."""
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise TesseraError(f"{file}: made by another Tessera (format {content['format']}); use that one")
        recipe = ResolvedRecipe.read({**content["recipe"], "provenance": {}, "deleted": {}})
        found = Lock(content["digest"], content["hardware"], recipe)
    except (ValueError, KeyError, TypeError) as error:
        raise TesseraError(f"{file}: damaged ({error}); `tessera recipe lock --update` writes it anew") from error
    if canonical.digest(recipe.substance()) != found.digest:
        raise TesseraError(f"{file}: was changed by hand; `tessera recipe lock --update` writes it anew")
    return found


def changes(locked: Lock, recipe: ResolvedRecipe) -> list[Change]:
    """What agreeing to the recipe would change; empty where it is what was locked."""
    sizes = {pool.name: pool.size for pool in recipe.pools}
    old = replace(
        locked.recipe,
        pools=tuple(replace(pool, size=sizes.get(pool.name, pool.size)) for pool in locked.recipe.pools),
    )
    return diff(old, recipe)


def newest_hardware() -> str:
    """The newest date of any row of the hardware tables, as YYYY-MM-DD."""
    tables = [data.load(f"hardware/{name}.yaml") for name in data.names("hardware")]
    return max(_dates(tables), default="")


def _dates(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        own = [str(value["date"])] if "date" in value else []
        return own + [date for part in value.values() for date in _dates(part)]
    return [date for part in value for date in _dates(part)] if isinstance(value, list) else []
