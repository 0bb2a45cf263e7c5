"""Scalars of a stack file, read as the engine reads them: `on` is a text and not true, 010 is eight, 2.0 is two."""

from __future__ import annotations

import re

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)|0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+", re.ASCII)
_OCTAL = re.compile(r"[-+]?0[0-7]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
NEWER_NUMBER = re.compile(r"[-+]?[0-9]+(?:[eE][-+]?[0-9]+)?|0o[0-7]+", re.ASCII)
"""Numbers to the engine, and texts to our parser."""

NO_NUMBER = re.compile(r"[-+]?\.inf|\.nan", re.ASCII | re.IGNORECASE)
"""Numbers to YAML which are none to JSON, and so to the engine."""

_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
DIGITS = 300
"""A longer number is a text: nothing in a stack file counts that far."""


def plain(text: str) -> str | int | float | bool | None:
    """The value of a scalar that stands without quotes."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789" or len(text) > DIGITS:
        return text
    if _INTEGER.fullmatch(text):
        return int(text.replace("_", ""), 0)
    if _OCTAL.fullmatch(text):
        return int(text, 8)
    return _decimal(float(text)) if _FLOAT.fullmatch(text) else text


def _decimal(number: float) -> int | float:
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
