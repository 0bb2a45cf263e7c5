"""Names: what a wrong one probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def unknown(what: str, found: str, allowed: Iterable[str]) -> str:
    """A clause that names the unknown word, the nearest known one, and all that are allowed."""
    choices = sorted(allowed)
    return f"unknown {what} {found!r}{hint(found, choices)}; allowed: {', '.join(choices) or 'none'}"


def hint(found: str, choices: Sequence[str]) -> str:
    """The nearest known word, to stand behind a wrong one; nothing where none is near."""
    near = get_close_matches(found, choices, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
