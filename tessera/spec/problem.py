"""A problem of a stack file: where it is, and what is wrong, in the words of whoever wrote the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tessera import naming
from tessera.spec.secret import Secret

type Path = tuple[str | int, ...]
"""Where a value is: ("pools", 0, "board") is tessera:pools[0].board."""

LONGEST = 60
"""Characters of a found text that a message repeats."""

_PLAIN = re.compile(r"[\w/-]+", re.ASCII)


@dataclass(frozen=True)
class Problem:
    """Something wrong at a path; an empty path means the file as a whole. line: counted from 1, where known."""

    path: Path
    text: str
    line: int | None = None


def show_path(path: Path) -> str:
    """A path as people write it."""
    rest = [f"[{part}]" if isinstance(part, int) else _key(part) for part in path[1:]]
    return f"tessera:{short(str(path[0]))}{''.join(rest)}" if path else ""


def _key(part: str) -> str:
    return f".{part}" if _PLAIN.fullmatch(part) and len(part) <= LONGEST else f"[{quoted(part)}]"


def quoted(text: str) -> str:
    """A text in quotes, on one line and of bearable length."""
    return repr(text) if len(text) <= LONGEST else f"{text[:LONGEST]!r}... ({len(text)} characters)"


def short(text: str) -> str:
    """A text as it is where it is plain and of bearable length."""
    return text if text.isprintable() and len(text) <= LONGEST else quoted(text)


def shown(value: Any) -> str:
    """A found value in a message: texts in quotes, kinds by name, secrets never."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int | float):
        return f"{short(str(value))}, a number" if abs(value) < 10**LONGEST else "a very large number"
    kinds = ((Secret, "an encrypted value"), (Mapping, "a mapping"), (Sequence, "a list"), (type(None), "nothing"))
    return next((name for kind, name in kinds if isinstance(value, kind)), f"a {type(value).__name__}")


@lru_cache(maxsize=4096)
def unknown(what: str, found: str, allowed: tuple[str, ...]) -> str:
    """naming.unknown for words that come from a file, however long they are."""
    if len(found) <= LONGEST:
        return naming.unknown(what, found, allowed)
    return f"unknown {what} {quoted(found)}; allowed: {', '.join(sorted(allowed)) or 'none'}"


def told(
    problems: Iterable[Problem], file: str, line: Callable[[Path], int | None], keys: Iterable[str] = ()
) -> list[str]:
    """One sentence for each problem, by line. file: its name, empty where there is none.

    keys: top keys in their order, for problems without a line.
    """
    rows = [(row.line or (line(row.path) if row.path else None), row) for row in problems]
    rank: dict[Path, int] = {(key,): at for at, key in enumerate(keys)}
    for _, row in rows:
        rank.setdefault(row.path[:1], len(rank))
    rows.sort(key=lambda pair: (pair[0] or 0, rank[pair[1].path[:1]], _index(pair[1].path)))
    lines = (": ".join(part for part in (_place(file, at), show_path(row.path), row.text) if part) for at, row in rows)
    return list(dict.fromkeys(lines))


def _index(path: Path) -> int:
    return path[1] if len(path) > 1 and isinstance(path[1], int) else -1


def _place(file: str, line: int | None) -> str:
    return f"{file}:{line}" if file and line else file
