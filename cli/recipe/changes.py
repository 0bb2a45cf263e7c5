"""Changes of a recipe, printed as people read them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tessera.recipe.diff import Change


_WIDEST = 72
"""Letters of a value in a table."""


def short(value: Any) -> Any:
    """A value for one line: a file, or a list of many words, is cut."""
    if not isinstance(value, str | list):
        return value
    first, *more = str(value).splitlines() or [""]
    return first if not more and len(first) <= _WIDEST else f"{first[: _WIDEST - 4]} ..."


def print_changes(changes: Sequence[Change], as_json: bool, none: str) -> None:
    """A line a change, or a list of objects as JSON."""
    if as_json:
        print(json.dumps([asdict(change) for change in changes], indent=2))
        return
    for change in changes:
        print(_line(change))
    if not changes:
        print(none)


def _line(change: Change) -> str:
    """Its text, with long values cut."""
    from tessera.recipe.diff import shown

    whole = [shown(change.before), shown(change.after)]
    tail = " -> ".join(whole)
    if not change.text.endswith(f" {tail}"):  # a thing that comes or goes, not a value
        return " ".join(change.text.splitlines())
    cut = [str(short(value)) for value in whole]
    more = " (they differ further on; --json has them whole)" if cut[0] == cut[1] else ""
    return f"{change.text.removesuffix(tail)}{' -> '.join(cut)}{more}"
