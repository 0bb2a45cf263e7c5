"""Labels that every object of a stack carries, so that it can be told whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tessera.recipe.lock import locked_digest
from tessera.recipe.resolved import ResolvedRecipe

STACK, RECIPE = "tessera.dev/stack", "tessera.dev/recipe"


def stack_labels(stack: str, recipe: ResolvedRecipe) -> dict[str, str]:
    """Labels of a stack's objects: its name, and the first letters of the digest that its lock holds."""
    return {STACK: stack, RECIPE: locked_digest(recipe)[:16]}


def labelled(metadata: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    """Metadata of an object with these labels besides its own."""
    return {**metadata, "labels": {**labels, **metadata.get("labels", {})}}
