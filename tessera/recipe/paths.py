"""Paths of values: keys joined by dots; a key that a dot would cut stands in brackets and quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

Path = tuple[str, ...]

_PLAIN = re.compile(r'[^."\[\]]+')
_PART = re.compile(r'\.?(?:\[("(?:[^"\\]|\\.)*")\]|([^."\[\]]+))')


def text(path: Iterable[str]) -> str:
    """components.a.values["nvidia.com/gpu"] for ("components", "a", "values", "nvidia.com/gpu")."""
    said = ""
    for key in path:
        if _PLAIN.fullmatch(key):
            said += f".{key}" if said else key
        else:
            said += f"[{json.dumps(key, ensure_ascii=False)}]"
    return said


def parse(said: str) -> Path:
    """The keys of a path as text() writes it; the whole of a text that is no path is one key."""
    found, at = [], 0
    while at < len(said) and (part := _PART.match(said, at)):
        found.append(json.loads(part[1]) if part[1] else part[2])
        at = part.end()
    return tuple(found) if at == len(said) else (said,)
