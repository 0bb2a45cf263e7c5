"""What a stack's pools say of sharing, as the layer that comes after all others: values of operator and DRA driver.

The layers say per kind of pool who gives GPUs out; only all pools together say which files, labels and gates.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

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


def kept(made: LayerFile, others: Iterable[LayerFile]) -> LayerFile:
    """The layer less the components that no other layer names: an imported recipe may bring neither chart."""
    named = {write.path[1] for layer in others for block in layer.blocks for write in block.writes if _names(write)}
    (block,) = made.blocks
    writes = tuple(write for write in block.writes if write.path[1] in named)
    return replace(made, blocks=(replace(block, writes=writes),))


def _names(write: Write) -> bool:
    return write.path[0] == "components" and len(write.path) > 1
