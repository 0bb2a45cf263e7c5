"""Images: which values of a chart name one, so that a mirror can be put in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tessera.charts import keys
from tessera.charts.keys import Path
from tessera.charts.tree import Value

_PARTS = ("registry", "repository", "image", "name", "tag", "version", "digest", "sha")
_WHOLE = re.compile(r"^[\w.-]+(:\d+)?(/[\w.-]+)+(:[\w.-]+)?(@sha256:[0-9a-f]{64})?$")


def images(values: Mapping[Path, Value], hidden: Iterable[Path] = ()) -> list[str]:
    """Each image, as the paths of its parts joined by `+`, or the one path that holds all of it.

    hidden: paths that only templates know.
    """
    beside: dict[Path, set[str]] = {}
    for path, value in values.items():
        if {"string", "null"} & set(value.kind.split("|")):
            beside.setdefault(path[:-1], set()).add(path[-1])
    for path in hidden:
        if path[:-1] in beside and path[-1] in _PARTS:
            beside[path[:-1]].add(path[-1])
    found = []
    for parent in sorted(beside):
        there = beside[parent]
        if ("repository" in there and there & {"tag", "version", "image"}) or (
            parent[-1:] == ("image",) and {"name", "tag"} <= there
        ):
            named = [part for part in _PARTS if part in there and (part != "name" or "image" in parent[-1:])]
            found.append(" + ".join(keys.join((*parent, part)) for part in named))
            continue
        for key in sorted(there):
            default = one.default if (one := values.get((*parent, key))) else None
            called = key.lower().endswith("image") or parent[-1:] == ("images",)
            if called and isinstance(default, str) and _WHOLE.match(default):
                found.append(keys.join((*parent, key)))
    return found
