"""Canonical JSON: one text for one value, on every machine."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def text(value: Any) -> str:
    """JSON with sorted keys and no spaces. 1, 1.0 and true are three texts, though Python calls them equal."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Any) -> str:
    """sha256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(text(value).encode()).hexdigest()


def same(left: Any, right: Any) -> bool:
    """Whether two values are one in JSON."""
    return text(left) == text(right)
