"""Names: what a wrong one probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def unknown(what: str, found: str, allowed: Iterable[str]) -> str:
    """A clause that names the unknown word, the nearest known one, and all that are allowed."""
    choices = sorted(allowed)
    near = get_close_matches(found, choices, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"unknown {what} {found!r}{hint}; allowed: {', '.join(choices) or 'none'}"
