"""Strings: CEL's own functions, the string extension and Kubernetes' regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tessera.dra.cel.overloads import Function, several, typed
from tessera.dra.cel.regex import compiled
from tessera.dra.cel.values import CelError


def _char_at(text: str, index: int) -> str:
    return text[_within(index, len(text)) :][:1]


def _within(index: int, most: int) -> int:
    if 0 <= index <= most:
        return index
    raise CelError(f"index out of range: {index}")


def index_of(text: str, part: str, start: int = 0) -> int:
    """Where a part first begins, from start; -1 where it is not."""
    if not part:
        return start
    if start < 0:
        raise CelError(f"index out of range: {start}")
    return text.find(part, start)


def last_index_of(text: str, part: str, start: int | None = None) -> int:
    """Where a part last begins, at start or before; -1 where it is not."""
    if not part:
        return len(text) if start is None else start
    if start is None:
        return text.rfind(part)
    if start < 0:
        raise CelError(f"index out of range: {start}")
    return -1 if start >= len(text) else text.rfind(part, 0, start + len(part))


def _substring(text: str, start: int, end: int | None = None) -> str:
    last = len(text) if end is None else end
    if start > last and end is not None:
        raise CelError(f"invalid substring range. start: {start}, end: {end}")
    return text[_within(start, len(text)) : _within(last, len(text))]


def _split(text: str, separator: str, most: int = -1) -> list[str]:
    if most == 0:
        return []
    if not separator:
        letters = list(text)
        return letters if most < 0 or len(letters) <= most else [*letters[: most - 1], "".join(letters[most - 1 :])]
    return text.split(separator, -1 if most < 0 else most - 1)


def _join(parts: list[Any], separator: str = "") -> str:
    if wrong := [part for part in parts if not isinstance(part, str)]:
        raise CelError(f"join: invalid input: {wrong[0]}")
    return separator.join(parts)


def _find(text: str, pattern: str) -> str:
    found = compiled(pattern).search(text)
    return found[0] if found else ""


def _find_all(text: str, pattern: str, most: int = -1) -> list[str]:
    matches = list(compiled(pattern).finditer(text))
    ends = {match.end() for match in matches if match[0]}  # where no empty match is found, unlike in Python
    found = [match[0] for match in matches if match[0] or match.start() not in ends]
    return found if most < 0 else found[:most]


def _ascii(change: Callable[[str], str]) -> Function:
    return lambda text: re.sub(r"[A-Za-z]+", lambda letters: change(letters[0]), text)


_TEXT = [str, str]
STRINGS = (
    several("contains", (_TEXT, lambda text, part: part in text)),
    several("startsWith", (_TEXT, str.startswith)),
    several("endsWith", (_TEXT, str.endswith)),
    typed("matches", _TEXT, lambda text, pattern: compiled(pattern).search(text) is not None),
    typed("charAt", [str, int], _char_at),
    several("substring", ([str, int], _substring), ([str, int, int], _substring)),
    several("replace", ([str, str, str], str.replace), ([str, str, str, int], str.replace)),
    several("split", (_TEXT, _split), ([str, str, int], _split)),
    several("join", ([list], _join), ([list, str], _join)),
    typed("lowerAscii", [str], _ascii(str.lower)),
    typed("upperAscii", [str], _ascii(str.upper)),
    typed("trim", [str], str.strip),
    typed("find", _TEXT, _find),
    several("findAll", (_TEXT, _find_all), ([str, str, int], _find_all)),
)
