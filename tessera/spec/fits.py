"""Classes that no pool can serve, and the pools as plain values tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tessera.dra import classes as catalogue
from tessera.dra.fit import Pool, problem
from tessera.dra.slices import SHARINGS
from tessera.spec import machines
from tessera.spec.problem import Problem
from tessera.spec.rows import listed, rows, text, texts


def problems(values: Mapping[str, Any]) -> Iterator[Problem]:
    """A class that is offered must fit somewhere; nothing is said of it as long as a pool is told wrong itself."""
    found = pools(values)
    if found is None:
        return
    known = frozenset(catalogue.names())
    for at, name in texts(values, "classes"):
        if name in known and (said := problem(catalogue.service_class(name), found)):
            yield Problem(("classes", at), said)


def pools(values: Mapping[str, Any]) -> Sequence[Pool] | None:
    """The pools that have GPUs; None where there are none, or one names a machine or a sharing that nobody knows."""
    if not listed(values, "pools"):
        return None
    found = []
    for _, row in rows(values, "pools"):
        board, instance = text(row, "board"), text(row, "instance")
        machine, sharing = machines.known(board, instance), _sharing(row)
        if machine is not None and sharing in SHARINGS:
            found.append(Pool(text(row, "name") or "?", machine, _nodes(row), sharing))
        elif board or instance or machine is not None:
            return None
    return found


def _sharing(row: Mapping[str, Any]) -> str:
    value = row.get("sharing", "dra")
    return next(iter(value), "") if isinstance(value, Mapping) else str(value)


def _nodes(row: Mapping[str, Any]) -> int:
    size = row.get("size", len(listed(row, "hosts")))
    return size if type(size) is int and size > 0 else 0
