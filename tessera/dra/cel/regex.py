"""Regular expressions of RE2, by Python's: those that both read alike, the others are refused as not known here."""

from __future__ import annotations

import re
from functools import cache

from tessera.dra.cel.values import CelError

_OURS_ONLY = re.compile(r"\(\?(?![:iP])|\(\?P[=>]|[*+?}]\+|\\[1-9GNZ]")
"""What Python reads and RE2 refuses: looks around, references, possessive repeats."""

_OTHERS = re.compile(r"\[\[|\\[pPCQEzxuUaf]|\(\?i?[^:P)i]|[|&~-]{2}|\\[0-9]|\{,")
"""What the two read in different ways, or only RE2 does."""

_LARGEST_REPEAT = 1000
_REPEAT = re.compile(r"\{(\d+)(?:,(\d*))?\}")


class UnknownRegexError(Exception):
    """A regular expression that only RE2 can judge."""


@cache
def compiled(text: str) -> re.Pattern[str]:
    """A pattern. Raises CelError where RE2 refuses it, UnknownRegexError where that can't be told here."""
    bare = re.sub(r"\\\\", "", text)
    if _OURS_ONLY.search(bare):
        raise CelError(f"error parsing regexp: {text!r}")
    if _OTHERS.search(bare) or any(
        int(number) > _LARGEST_REPEAT for found in _REPEAT.findall(bare) for number in found if number
    ):
        raise UnknownRegexError(text)
    try:
        return re.compile(_dollars(text), re.ASCII)
    except (re.error, OverflowError) as error:
        raise CelError(f"error parsing regexp: {error}") from None


def _dollars(text: str) -> str:
    r"""With \Z for $, which in Python also stands before a last newline."""
    return re.sub(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\])|\$", lambda found: found[1] or r"\Z", text, flags=re.DOTALL)
