"""Labels that every object of a stack carries, so that it can be told whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STACK, RECIPE = "tessera.dev/stack", "tessera.dev/recipe"


def stack_labels(stack: str, digest: str) -> dict[str, str]:
    """Labels of a stack's objects. digest: of the recipe; its first letters are enough to find it again."""
    return {STACK: stack, RECIPE: digest[:16]}


def labelled(metadata: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    """Metadata of an object with these labels besides its own."""
    return {**metadata, "labels": {**labels, **metadata.get("labels", {})}}
