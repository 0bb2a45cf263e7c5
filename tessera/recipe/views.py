"""Views: which blocks apply to which pools, and the tree of values as each kind of pool sees it.

Pools to which the same blocks apply share one view, so work grows with the kinds of pools, not with their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tessera.recipe.conditions import matches
from tessera.recipe.layers import Block, LayerFile
from tessera.recipe.merge import Tree
from tessera.recipe.request import PoolRequest, RecipeRequest
from tessera.recipe.writes import Write


@dataclass(frozen=True)
class View:
    """What applies to some pools; to none, where the stack has none.

    blocks: those that apply; shared: the cluster's values as these pools see them; own: the pools' values.
    """

    pools: tuple[PoolRequest, ...]
    blocks: tuple[Block, ...]
    shared: Tree
    own: Tree

    @property
    def label(self) -> str:
        """The pools, briefly."""
        first, *more = self.pools
        return f"pool {first.name!r}" + (f" (and {len(more)} like it)" if more else "")


def views(request: RecipeRequest, layers: Iterable[LayerFile], last: Sequence[Write]) -> list[View]:
    """One view for each kind of pool, by the name of its first pool.

    layers: in the order of merging; last: the stack's overrides.
    """
    blocks = [(layer.scope == "pool", block) for layer in layers for block in layer.blocks]
    kinds: dict[tuple[int, ...], list[PoolRequest]] = {}
    seen: dict[tuple[tuple[str, str], ...], tuple[int, ...]] = {}
    for pool in sorted(request.pools, key=lambda pool: pool.name):
        key = tuple(sorted(pool.criteria.items()))
        if key not in seen:
            seen[key] = _applying(blocks, {**request.criteria, **pool.criteria}, pools=True)
        kinds.setdefault(seen[key], []).append(pool)
    if not kinds:
        kinds[_applying(blocks, request.criteria, pools=False)] = []
    return [_view(pools, [blocks[at][1] for at in applying], last) for applying, pools in kinds.items()]


def _applying(blocks: list[tuple[bool, Block]], criteria: Mapping[str, str], pools: bool) -> tuple[int, ...]:
    return tuple(at for at, (pool, block) in enumerate(blocks) if (pools or not pool) and matches(block.when, criteria))


def _view(pools: list[PoolRequest], blocks: list[Block], last: Sequence[Write]) -> View:
    writes = [*(write for block in blocks for write in block.writes), *last]
    own = Tree(write for write in writes if _is_own(write))
    return View(tuple(pools), tuple(blocks), Tree(write for write in writes if not _is_own(write)), own)


def _is_own(write: Write) -> bool:
    """Hosts are a pool's whoever sets them; constraints where a layer of pool scope does."""
    return write.path[0] == "hosts" or (write.path[0] == "constraints" and write.pool)
