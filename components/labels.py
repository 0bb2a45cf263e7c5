"""Labels that every object of a stack carries, so that it can be told whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STACK = "tessera.dev/stack"


def stack_labels(stack: str) -> dict[str, str]:
    """Labels of a stack's objects: its name. What changes with every value would hide in them what really changes."""
    return {STACK: stack}


def labelled(metadata: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    """Metadata of an object with these labels besides its own."""
    return {**metadata, "labels": {**labels, **metadata.get("labels", {})}}
