"""Changes of a recipe, printed as people read them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tessera.recipe.diff import Change


def print_changes(changes: Sequence[Change], as_json: bool, none: str) -> None:
    """A line a change, or a list of objects as JSON."""
    if as_json:
        print(json.dumps([asdict(change) for change in changes], indent=2))
        return
    for change in changes:
        print(change.text)
    if not changes:
        print(none)
