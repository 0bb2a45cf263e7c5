"""Plain values that remember on which line they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Marked:
    """A scalar, a list of Marked, or a mapping from key to Marked; line: where its key stands."""

    value: Any
    line: int

    @property
    def plain(self) -> Any:
        """The value without marks."""
        if isinstance(self.value, dict):
            return {key: inner.plain for key, inner in self.value.items()}
        return [item.plain for item in self.value] if isinstance(self.value, list) else self.value


def mark(value: Any, lines: Mapping[tuple[str, ...], int], path: tuple[str, ...] = (), line: int = 0) -> Marked:
    """A plain value with marks from a table of lines by path; a path without one has its parent's."""
    line = lines.get(path, line)
    if isinstance(value, Mapping):
        return Marked({key: mark(inner, lines, (*path, key), line) for key, inner in value.items()}, line)
    if isinstance(value, list | tuple):
        return Marked([mark(item, lines, path, line) for item in value], line)
    return Marked(value, line)
