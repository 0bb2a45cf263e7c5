"""Keys of values: joined by dots as Helm's --set has them; a dot inside a key is written with a backslash."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Path = tuple[str, ...]

_DOT = re.compile(r"(?<!\\)\.")
_MOST = 3


def split(said: str) -> Path:
    """The keys of a path; none for the empty text."""
    if "\\" not in said:
        return tuple(said.split(".")) if said else ()
    return tuple(key.replace("\\.", ".") for key in _DOT.split(said))


def join(path: Iterable[str]) -> str:
    """The path as text."""
    return ".".join(key.replace(".", "\\.") for key in path)


def at(tree: Any, path: str | Path, default: Any = None) -> Any:
    """The value at a path of a tree of mappings; the default where there is none, or null."""
    for key in split(path) if isinstance(path, str) else path:
        tree = tree.get(key) if isinstance(tree, Mapping) else None
    return default if tree is None else tree


def nearest(found: str, known: Iterable[str]) -> list[str]:
    """The keys that are fewest letters away from a wrong one, if any is near; at most three."""
    limit = max(1, len(found) // 3)
    away: dict[int, list[str]] = {}
    for key in sorted(known):
        if abs(len(key) - len(found)) <= limit:
            away.setdefault(distance(found, key), []).append(key)
    least = min(away, default=limit + 1)
    return away[least][:_MOST] if least <= limit else []


def distance(left: str, right: str) -> int:
    """Letters to add, drop, change or swap with their neighbour; case alone counts as one."""
    if left.casefold() == right.casefold():
        return int(left != right)
    rows: list[Sequence[int]] = [range(len(right) + 1)]
    for i, one in enumerate(left, 1):
        row = [i]
        for j, other in enumerate(right, 1):
            best = min(rows[-1][j] + 1, row[j - 1] + 1, rows[-1][j - 1] + (one != other))
            if i > 1 and j > 1 and one == right[j - 2] and left[i - 2] == other:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
