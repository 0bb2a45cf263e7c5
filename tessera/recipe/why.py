"""Why a value of a recipe is what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tessera import naming
from tessera.charts import keys
from tessera.errors import TesseraError
from tessera.recipe import paths
from tessera.recipe.provenance import Provenance
from tessera.recipe.resolved import ResolvedRecipe


@dataclass(frozen=True)
class Why:
    """One value and its history. deleted: whether a layer took it away, so that value is None."""

    path: str
    value: Any
    provenance: Provenance
    deleted: bool = False


def why(recipe: ResolvedRecipe, path: str) -> list[Why]:
    """The history of the value at a path, or of all values below it, deleted ones too; by path.

    Raises TesseraError where no layer ever set anything there.
    """
    asked = paths.parse(path)
    values = dict(_sections(recipe))
    found = [
        Why(said, None if gone else _at(values, paths.parse(said)), one, gone)
        for gone, table in ((False, recipe.provenance), (True, recipe.deleted))
        for said, one in table.items()
        if said.startswith(path[:1]) and paths.parse(said)[: len(asked)] == asked
    ]
    if found:
        return sorted(found, key=lambda one: (one.path, one.deleted))
    if _at(values, asked) is not None:
        raise TesseraError(f"{path}: no layer sets it; this is the default")
    raise TesseraError(naming.unknown("path", path, _siblings(recipe, asked)))


def _sections(recipe: ResolvedRecipe) -> Iterator[tuple[str, Any]]:
    """The recipe as its paths read: pools and components by name."""
    yield "pools", {pool.name: vars(pool) for pool in recipe.pools}
    yield "components", {component.name: vars(component) for component in recipe.components}
    yield "control_plane", recipe.control_plane
    yield "constraints", recipe.constraints
    yield "artifacts", recipe.artifacts


def _at(value: Any, path: paths.Path) -> Any:
    found = keys.at(value, path)
    return list(found) if isinstance(found, tuple) else found


def _siblings(recipe: ResolvedRecipe, asked: paths.Path) -> set[str]:
    """Paths beside the first key that leads nowhere."""
    every = [paths.parse(said) for said in (*recipe.provenance, *recipe.deleted)]
    known = 0
    while any(path[: known + 1] == asked[: known + 1] for path in every):
        known += 1
    return {paths.text(path[: known + 1]) for path in every if path[:known] == asked[:known]}
