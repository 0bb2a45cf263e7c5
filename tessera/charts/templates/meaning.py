"""Meanings: what an expression of a template stands for, as far as it comes from the chart's values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tessera.charts.keys import Path


@dataclass(frozen=True)
class Root:
    """The dot at the top of a chart's template."""


@dataclass(frozen=True)
class At:
    """A place of the values; the empty path is all of them."""

    path: Path


@dataclass(frozen=True)
class Text:
    """A text that is written out."""

    text: str


@dataclass(frozen=True)
class Made:
    """A dict or a list that the template makes; keys of a list are its places."""

    parts: tuple[tuple[str, Meaning], ...]


Meaning = frozenset[Root | At | Text | Made]
"""What an expression may stand for; the empty set is what no value decides."""

NONE: Meaning = frozenset()
ROOT: Meaning = frozenset({Root()})


_OF_ROOT = ("Values", "Chart", "Release", "Capabilities", "Template", "Files")
"""Keys that stand for a dot which was not followed."""


def texts(meaning: Meaning) -> list[str]:
    """The texts that it may be, sorted."""
    return sorted(one.text for one in meaning if isinstance(one, Text))


def below(meaning: Meaning, key: str) -> Meaning:
    """What stands at a key."""
    found: set[Root | At | Text | Made] = set()
    for one in meaning:
        if isinstance(one, At) and key == "AsMap" and not one.path:
            found.add(one)
        elif isinstance(one, At) and key not in _OF_ROOT:
            found.add(At((*one.path, key)))
        elif isinstance(one, Root) and key == "Values":
            found.add(At(()))
        elif isinstance(one, Made):
            found.update(part for name, inner in one.parts if name == key for part in inner)
    return frozenset(found)


def places(meaning: Meaning) -> Iterator[Path]:
    """Every place of the values that it may hold, inside what the template made too; () where it holds them all."""
    for one in meaning:
        if isinstance(one, At):
            yield one.path
        elif isinstance(one, Made):
            for _, inner in one.parts:
                yield from places(inner)


def made(parts: Iterable[tuple[str, Meaning]]) -> Meaning:
    """A dict or a list of parts."""
    return frozenset({Made(tuple(parts))})
