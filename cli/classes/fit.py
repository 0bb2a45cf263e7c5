"""`tessera classes fit`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from cli.output import Json, emit
from cli.stack_file import StackName, shown, stack_file

if TYPE_CHECKING:
    from tessera.dra.fit import Fit, PoolFit

NO_FIT = 1
COLUMNS = ("class", "offered", "pool", "fits", "per node", "nodes", "total", "why")


def fit(stack: StackName, json: Json = False) -> None:
    """Show which classes the pools of a stack can serve, how many devices of each, or what comes nearest.

    Exit status 1 where a class that the stack offers fits nowhere.
    """
    offered, found = _judged(stack)
    rows = [_row(met, one, offered) for met in found for one in met.pools]
    emit(rows, COLUMNS, json, "no pool of this stack has GPUs")
    wrong = [met.problem for met in found if met.level.name in offered and met.answer == "no"]
    for said in wrong:
        print(f"tessera: {said}", file=sys.stderr)
    if wrong:
        raise typer.Exit(NO_FIT)


def _judged(stack: str) -> tuple[list[str], list[Fit]]:
    """Classes that a stack offers, and how all of the catalogue fit. Raises ProblemsError where its pools are wrong."""
    from tessera.dra.classes import names, service_class
    from tessera.dra.fit import fit as fit_class
    from tessera.spec import stack as spec
    from tessera.spec.document import read
    from tessera.spec.fits import pools

    path = stack_file(stack)
    document = read(path, shown(path))
    named: Any = document.values.get("classes")
    offered = [service_class(str(name)).name for name in named] if isinstance(named, list) else []
    without = {key: value for key, value in document.values.items() if key not in ("classes", "tenants", "workloads")}
    spec.stack(without, document)
    return offered, [fit_class(service_class(name), pools(without) or ()) for name in names()]


def _row(met: Fit, one: PoolFit, offered: list[str]) -> dict[str, Any]:
    return {
        "class": met.level.name,
        "offered": met.level.name in offered,
        "pool": one.pool.name,
        "fits": one.answer,
        "per node": one.per_node,
        "nodes": one.pool.nodes,
        "total": one.total,
        "why": "; ".join(filter(None, (one.why, one.remedy))),
    }
