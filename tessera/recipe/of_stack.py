"""The request of a stack: its criteria, and which of them its author wrote."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from tessera.errors import TesseraError
from tessera.hardware import boards, instances, machines
from tessera.hardware.machines import Machine
from tessera.recipe import sharing
from tessera.recipe.aicr import imported as aicr
from tessera.recipe.layers import LayerFile
from tessera.recipe.request import PoolRequest, RecipeRequest
from tessera.spec.criteria import ClusterCriteria, PoolCriteria, cluster_criteria, pool_criteria, stated
from tessera.spec.document import Document
from tessera.spec.pool import Pool
from tessera.spec.stack import Stack

_OF_MACHINE = ("accelerator", "architecture", "gpu")


def request(stack: Stack, document: Document | None = None, folder: Path | None = None) -> RecipeRequest:
    """What a stack asks of the recipe. document: where it is written, for the lines of its overrides.

    folder: where the stack file lies, and an imported recipe beside it.
    Raises TesseraError where that recipe can't be imported, or pools can't be shared as they say.
    """
    criteria = _known(cluster_criteria(stack.cluster))
    return RecipeRequest(
        criteria=criteria,
        pools=tuple(_pool(pool) for pool in stack.pools),
        stated=stated(stack.cluster) & criteria.keys(),
        overrides=stack.overrides,
        file=document.file if document else "the stack file",
        lines=dict(_lines(stack.overrides, (), document.line)) if document else {},
        components=_components(stack, folder or Path("stacks")),
        sharing=_sharing(stack, document),
        off=_off(stack, document),
    )


def _components(stack: Stack, folder: Path) -> tuple[LayerFile, ...]:
    if stack.components.from_ is None:
        return ()
    path = folder / stack.components.from_
    return aicr.read(path, f"{folder.name}/{stack.components.from_}").layers


def _off(stack: Stack, document: Document | None) -> dict[str, int]:
    lines = (document.line(("components", "off", at)) if document else 0 for at, _ in enumerate(stack.components.off))
    return {name: line or 0 for name, line in zip(stack.components.off, lines, strict=True)}


def _sharing(stack: Stack, document: Document | None) -> LayerFile | None:
    pools = [pool.shared for pool in stack.pools if pool.shared]
    line = document.line(("pools",)) if document else None
    return sharing.layer(pools, document.file if document else "the stack file", line or 0) if pools else None


def request_of_criteria(criteria: Mapping[str, str], given: Collection[str]) -> RecipeRequest:
    """A stack of one pool made up from criteria, as `tessera recipe show --service eks --accelerator h100` asks.

    given: names of the criteria that the user gave rather than left to a default.
    Raises TesseraError where no machine of the service has the accelerator.
    """
    cluster = {name: criteria[name] for name in ("service", "kubernetes", "intent", "framework") if name in criteria}
    pool = {name: criteria[name] for name in ("os", "sharing") if name in criteria}
    machine = None
    if accelerator := criteria.get("accelerator"):
        found = _typical(accelerator, cluster.get("service", ""))
        machine = found.key
        pool = {**_of_machine(found), "sharing": "dra", **pool}
    said = frozenset(name for name in pool if name in _OF_MACHINE or name in given)
    pools = (PoolRequest("pool", 1, pool, said, machine),) if pool else ()
    return RecipeRequest(criteria=cluster, pools=pools, stated=frozenset(set(cluster) & set(given)))


def _pool(pool: Pool) -> PoolRequest:
    criteria = _known(pool_criteria(pool))
    if "gpu" not in criteria:
        del criteria["sharing"]  # there is nothing to share
    said = stated(pool) & criteria.keys()
    return PoolRequest(pool.name, pool.size, criteria, said, pool.board or pool.instance)


def _known(criteria: ClusterCriteria | PoolCriteria) -> dict[str, str]:
    return {name: value for name, value in vars(criteria).items() if value is not None}


def _of_machine(found: Machine) -> dict[str, str]:
    return {"accelerator": found.accelerator, "gpu": found.gpu.key, "architecture": found.architecture}


def _typical(accelerator: str, service: str) -> Machine:
    """The machine with the most GPUs of a kind: of EC2's for eks, of the boards for metal and lab."""
    names = instances.names() if service == "eks" else boards.names()
    fitting = [found for found in map(machines.machine, names) if found.accelerator == accelerator]
    if not fitting:
        known = sorted({machines.machine(name).accelerator for name in names})
        where = "EC2 instance" if service == "eks" else "board"
        raise TesseraError(f"no {where} with accelerator {accelerator!r} is known; allowed: {', '.join(known)}")
    return max(fitting, key=lambda found: (found.count, found.key))


def _lines(
    tree: Mapping[str, Any], path: tuple[str, ...], line: Callable[[tuple[str, ...]], int | None]
) -> list[tuple[tuple[str, ...], int]]:
    found = []
    for key, value in tree.items():
        at = (*path, str(key))
        if (number := line(("overrides", *at))) is not None:
            found.append((at, number))
        if isinstance(value, Mapping):
            found += _lines(value, at, line)
    return found
