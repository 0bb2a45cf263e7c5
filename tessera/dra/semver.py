"""Semantic versions as Kubernetes reads and orders them in CEL (github.com/blang/semver)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering

from tessera.errors import TesseraError

_NUMBER = r"0|[1-9][0-9]*"
_LARGEST = 2**64 - 1
_PART = re.compile(r"[0-9A-Za-z-]+")
_FORM = re.compile(rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-([^+]*))?(?:\+(.*))?", re.DOTALL)
_SHORT = 3
"""Fewer numbers than these make no version, unless it is normalized."""


@total_ordering
@dataclass(frozen=True, eq=False)
class Version:
    """A version. What follows a plus takes no part in order and equality, as semver.org says."""

    major: int
    minor: int
    patch: int
    prerelease: tuple[str, ...] = ()
    build: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._rank == other._rank

    def __lt__(self, other: Version) -> bool:
        return self._rank < other._rank

    def __hash__(self) -> int:
        return hash(self._rank)

    @property
    def _rank(self) -> tuple[object, ...]:
        """A prerelease comes before its release; numbers before words; the longer of two alike last."""
        parts = tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in self.prerelease)
        return self.major, self.minor, self.patch, not self.prerelease, parts


def parse(text: str, *, normalize: bool = False) -> Version:
    """The version that a text is. normalize: also take v1.2, a leading v and zeros, and fewer than three numbers.

    Raises TesseraError where it is none.
    """
    plain = _normalized(text) if normalize else text
    match = _FORM.fullmatch(plain)
    if match is None or not _fits(match):
        raise TesseraError(f"{text!r} is no version; write three numbers, such as 8.9.0")
    major, minor, patch = (int(match[group]) for group in (1, 2, 3))
    return Version(major, minor, patch, tuple(match[4].split(".")) if match[4] else (), match[5] or "")


def _fits(match: re.Match[str]) -> bool:
    if any(int(match[group]) > _LARGEST for group in (1, 2, 3)):
        return False
    before = [] if match[4] is None else match[4].split(".")
    after = [] if match[5] is None else match[5].split(".")
    return all(map(_PART.fullmatch, (*before, *after))) and all(map(_is_number_in_form, before))


def _is_number_in_form(part: str) -> bool:
    return not part.isdecimal() or (int(part) <= _LARGEST and (part == "0" or not part.startswith("0")))


def _normalized(text: str) -> str:
    parts = [_stripped(part) for part in text.removeprefix("v").split(".", 2)]
    if len(parts) < _SHORT and any(sign in parts[-1] for sign in "+-"):
        raise TesseraError(f"{text!r} is no version; a short one can't have a prerelease or build")
    return ".".join([*parts, "0", "0"][:_SHORT])


def _stripped(part: str) -> str:
    """A part without zeros in front, as far as a number remains."""
    if len(part) <= 1:
        return part
    bare = part.lstrip("0")
    return bare if bare[:1] in tuple("0123456789") else f"0{bare}"
