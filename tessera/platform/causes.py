"""One cause, said once: what several components suffer from is one sentence that names them."""

from __future__ import annotations

from collections.abc import Iterable

NAMED = 3
"""Components that a sentence names; of the others it says how many there are."""


def causes(rows: Iterable[tuple[str, str]]) -> list[str]:
    """A sentence for each different text. rows: component and text."""
    whose: dict[str, list[str]] = {}
    for name, text in rows:
        whose.setdefault(text, []).append(name)
    return [f"{_of(list(dict.fromkeys(names)))}: {text}" for text, names in whose.items()]


def _of(names: list[str]) -> str:
    if len(names) == 1:
        return f"component {names[0]}"
    first, rest = names[:NAMED], len(names) - NAMED
    return f"components {', '.join(first)}{f' and {rest} more' if rest > 0 else ''}"
