"""What a stack's pools say of sharing, as the layer that comes after all others: values of operator and DRA driver.

The layers say per kind of pool who gives GPUs out; only all pools together say which files, labels and gates.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tessera.recipe import canonical, paths
from tessera.recipe.layers import FOLDERS, Block, LayerFile
from tessera.recipe.paths import Path
from tessera.recipe.writes import Origin, Write
from tessera.sharing.platform import BECAUSE, platform_values
from tessera.sharing.pool import SharedPool

LAYER = "stack/sharing"
_AT = (len(FOLDERS), LAYER, 0)


def layer(pools: Sequence[SharedPool], file: str, line: int) -> LayerFile:
    """The layer of these pools. file and line: where they are written.

    Raises ProblemsError that names every pool that can't be shared so.
    """
    values = platform_values(pools)
    writes = tuple(_write(path, value, file, line) for path, value in _leaves(values))
    text = json.dumps(values, sort_keys=True)
    return LayerFile(LAYER, file, "cluster", (Block(line, {}, writes),), hashlib.sha256(text.encode()).hexdigest())


def _write(path: Path, value: Any, file: str, line: int) -> Write:
    component, *rest = path
    origin = Origin(LAYER, file, line, _because(path))
    return Write(("components", component, "values", *rest), "set", value, origin, False, _AT)


def _because(path: Path) -> str:
    said = (BECAUSE.get(".".join(path[:depth])) for depth in range(len(path), 1, -1))
    return next(one for one in said if one)


def _leaves(tree: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key), value


def placed(made: LayerFile, others: Iterable[LayerFile]) -> LayerFile:
    """The layer with its charts' values under the names that components of those charts have, be it none.

    An imported recipe may call a component otherwise, or bring neither chart.
    """
    names: dict[str, list[str]] = {}
    for write in (write for layer in others for block in layer.blocks for write in block.writes):
        if write.path[0] == "components" and write.path[2:] == ("chart",):
            names.setdefault(write.value, []).append(write.path[1])
    (block,) = made.blocks
    writes = tuple(
        replace(write, path=("components", name, *write.path[2:]))
        for write in block.writes
        for name in dict.fromkeys(names.get(write.path[1], ()))
    )
    return replace(made, blocks=(replace(block, writes=writes),))


def contradicted(made: LayerFile, last: Iterable[Write]) -> Iterator[str]:
    """Overrides of what the pools decide: each node has one allocator, and its labels and files belong together."""
    decided = [write for block in made.blocks for write in block.writes]
    for write in last:
        ours = next((one for one in decided if _over(write, one)), None)
        if ours:
            path = paths.text((write.path[1], *write.path[3:]))
            yield (
                f"{write.origin.place}: overrides.{path}: how GPUs are shared is what tessera:pools say "
                f"({ours.origin.place}); charts, node labels and files follow it; change `sharing` of a pool instead"
            )


def _over(write: Write, decided: Write) -> bool:
    """Whether a write puts another value where the pools put theirs, or above it."""
    depth = len(write.path)
    if write.path == decided.path:
        return write.kind != "set" or not canonical.same(write.value, decided.value)
    return write.kind in ("set", "delete") and depth < len(decided.path) and write.path == decided.path[:depth]
