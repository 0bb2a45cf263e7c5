"""Versions of software, such as 570.124.06, v26.7.0, 1.36 or 6.8.0-45-generic, and which of two comes first.

They compare number by number, as whole numbers: 1.9 is before 1.10, and 570.124.06 is 570.124.6. Numbers that are not
there are zeros: 1.36 is 1.36.0. A `v` in front means nothing, nor does anything behind the numbers: for drivers and
images that is a build or a distribution (-ubuntu24.04), so a pre-release counts as its release. A text that begins with
no number has none; it is a digest, or the name of a branch, and comes before every version.

Versions in CEL have an order of their own, with pre-releases: tessera.dra.semver.
"""

from __future__ import annotations

import re
from functools import cache

_NUMBERS = re.compile(r"v?(\d+(?:\.\d+)*)", re.ASCII)


@cache
def numbers(version: str) -> tuple[int, ...]:
    """The numbers in front of a version, as it has them; none where it begins with none."""
    found = _NUMBERS.match(version)
    return tuple(map(int, found[1].split("."))) if found else ()


def before(version: str, other: str) -> bool:
    """Whether a version is an earlier one than another."""
    return rank(version) < rank(other)


def rank(version: str) -> tuple[bool, tuple[int, ...]]:
    """What orders versions: whether it has numbers, and these without zeros at the end."""
    found = list(numbers(version))
    while found and not found[-1]:
        found.pop()
    return bool(numbers(version)), tuple(found)
