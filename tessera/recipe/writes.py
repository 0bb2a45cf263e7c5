"""Writes: what a block sets, one by one; each knows its path and where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from tessera.recipe.marked import Marked
from tessera.recipe.paths import Path

Kind = Literal["set", "append", "delete", "empty"]
"""set: a scalar or a list; append: to a list; delete: null; empty: a mapping without keys."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from, and why. line: 0 where unknown."""

    layer: str
    file: str
    line: int
    because: str | None = None
    source: str | None = None

    @property
    def place(self) -> str:
        """File and line, as compilers print them."""
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Write:
    """One step of a merge. pool: by a layer of pool scope; at: rank of the layer's folder, layer, block."""

    path: Path
    kind: Kind
    value: Any
    origin: Origin
    pool: bool = False
    at: tuple[int, str, int] = (0, "", 0)


def writes(said: Marked, template: Write) -> Iterator[Write]:
    """All writes of a tree below the template's path, in the order of the file."""
    tree = said.value
    here = replace(template, origin=replace(template.origin, line=said.line))
    if not isinstance(tree, dict):
        yield replace(here, kind="delete" if tree is None else "set", value=said.plain)
    elif tree.keys() in ({"value", "because"}, {"value", "because", "source"}):
        because, source = tree["because"].plain, tree["source"].plain if "source" in tree else None
        reasoned = replace(here, origin=replace(here.origin, because=because, source=source))
        inner = tree["value"].value
        if isinstance(inner, dict) and not _appends(inner):
            yield replace(reasoned, value=tree["value"].plain)  # no leaf: whoever checks it says so
        else:
            yield from writes(Marked(inner, said.line), reasoned)
    elif _appends(tree):
        yield replace(here, kind="append", value=tree["append"].plain)
    elif not tree:
        yield replace(here, kind="empty", value={})
    else:
        for key, inner in tree.items():
            yield from writes(inner, replace(template, path=(*template.path, key)))


def _appends(tree: dict[str, Marked]) -> bool:
    return tree.keys() == {"append"} and isinstance(tree["append"].value, list)
