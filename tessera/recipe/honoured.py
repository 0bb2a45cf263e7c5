"""Honoured criteria: what a stack states, at least one block that applies must have read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tessera import naming
from tessera.recipe.layers import Block, LayerFile
from tessera.recipe.request import RecipeRequest
from tessera.recipe.views import View


def unhonoured(request: RecipeRequest, views: Iterable[View], layers: Sequence[LayerFile]) -> Iterator[str]:
    """One problem for each stated criterion that nothing read: of the cluster, then of pool after pool."""
    read_by_any: set[str] = set()
    by_pool: list[tuple[str, str, str]] = []
    for view in views:
        read = {criterion for block in view.blocks for criterion in block.when}
        if "gpu" in read:
            read.add("accelerator")  # a product is one of its accelerator's
        read_by_any |= read
        for pool in view.pools:
            missing = sorted(pool.stated - read)
            by_pool += [(pool.name, criterion, pool.criteria[criterion]) for criterion in missing]
    for criterion in sorted(request.stated - read_by_any):
        yield f"the cluster: {_why(criterion, request.criteria[criterion], layers)}"
    for name, criterion, value in sorted(by_pool):
        yield f"pool {name!r}: {_why(criterion, value, layers)}"


def _why(criterion: str, value: str, layers: Sequence[LayerFile]) -> str:
    values = {value for layer in layers for block in layer.blocks for value in block.when.get(criterion, ())}
    if value not in values:
        return f"no layer reads {criterion} {value!r}: {naming.unknown(criterion, value, values)}"
    readers = [(layer, block) for layer in layers for block in layer.blocks if value in block.when.get(criterion, ())]
    needs = "; ".join(f"{layer.file}:{block.line} needs {_needs(block, criterion)}" for layer, block in readers[:3])
    return f"{criterion} {value!r} changes nothing here, since no block that reads it applies: {needs}"


def _needs(block: Block, but: str) -> str:
    return " and ".join(f"{name} {' or '.join(values)}" for name, values in block.when.items() if name != but) or (
        "a pool"
    )
