"""Workloads that can't be as they are written: what they name, what they claim, and what contradicts itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from tessera.dra import classes as catalogue
from tessera.dra.classes import service_class
from tessera.dra.slices import CLAIMED
from tessera.errors import ProblemsError, TesseraError
from tessera.hardware import boards
from tessera.spec.claiming import Kind, claim, count, kinds, requirement
from tessera.spec.pool import Pool
from tessera.spec.problem import Path, Problem, unknown
from tessera.spec.rows import mapping, rows, text, texts
from tessera.spec.workload import Alternative, Workload, WorkloadRequest

type Found = Iterator[tuple[Path, str]]


def problems(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Problems of workloads, each alone and against the rest of the file."""
    surroundings = _Surroundings(values)
    for at, row in rows(values, "workloads"):
        shape = [*_shape(row), *_names(row, surroundings), *_place(row, surroundings)]
        for path, said in shape or _claimed(row, surroundings):
            yield Problem(("workloads", at, *path), said)


@dataclass(frozen=True)
class _Surroundings:
    """What of the file workloads refer to."""

    values: Mapping[str, Any]

    @cached_property
    def offered(self) -> tuple[str, ...]:
        known = catalogue.names()
        return tuple(dict.fromkeys(name for _, name in texts(self.values, "classes") if name in known))

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        return kinds(self.offered)

    @cached_property
    def pools(self) -> dict[str, Mapping[str, Any]]:
        return {str(text(row, "name")): row for _, row in rows(self.values, "pools")}

    @cached_property
    def right_pools(self) -> tuple[Pool, ...]:
        return tuple(filter(None, (_validated(Pool, row) for row in self.pools.values())))

    @cached_property
    def grants(self) -> dict[str, tuple[str, ...]]:
        """Classes that each tenant may claim."""
        return {
            str(text(row, "name")): tuple(name for name in self.offered if name in _lent(row))
            for _, row in rows(self.values, "tenants")
        }

    def granted(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        """Classes that may be claimed in a workload's namespace."""
        return self.grants.get(text(row, "namespace") or "", self.offered)

    def priorities(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        """Priorities that a workload's pods may have: of the granted classes, and what its tenant has besides."""
        named = text(row, "namespace")
        more = [
            name
            for _, one in rows(self.values, "tenants")
            if text(one, "name") == named
            for _, name in texts(one, "priorities")
        ]
        made = {service_class(name).priority for name in self.offered}
        own = [service_class(name).priority for name in self.granted(row)]
        return tuple(dict.fromkeys([*own, *(name for name in more if name in made)]))


def _lent(tenant: Mapping[str, Any]) -> set[str]:
    """Classes that a tenant's quota or its queue names."""
    return {*mapping(tenant, "quota"), *mapping(mapping(tenant, "queue"), "borrowing")}


def _validated[M: (Pool, Workload)](model: type[M], row: Mapping[str, Any]) -> M | None:
    try:
        return model.model_validate(row)
    except ValidationError:
        return None


def _shape(row: Mapping[str, Any]) -> Found:
    """Keys that exclude each other."""
    yield from _one_of(row, "class", "requests")
    if "template" in row and "resourceClaim" in row:
        yield ("resourceClaim",), "stands beside template; allowed: one of them, a claim for each pod or one for all"
    if "requests" in row and "class" not in row:
        for key in ("count", "request"):
            if key in row:
                yield (key,), f"stands beside requests; allowed: {key} beside class, or in each of requests"
    for at, inner in rows(row, "requests"):
        yield from ((("requests", at, *path), said) for path, said in _request_shape(inner))


def _request_shape(row: Mapping[str, Any]) -> Found:
    yield from _one_of(row, "class", "firstAvailable")
    if "firstAvailable" in row:
        for key in ("count", "requires"):
            if key in row:
                yield (key,), f"stands beside firstAvailable; allowed: {key} in each alternative"


def _one_of(row: Mapping[str, Any], first: str, second: str) -> Found:
    both, none = first in row and second in row, first not in row and second not in row
    if both:
        yield (second,), f"stands beside {first}; allowed: exactly one of {first}, {second}"
    elif none or (first not in row and row[second] in ([], ())):
        yield (), f"found neither {first} nor {second}; allowed: exactly one of them"


def _names(row: Mapping[str, Any], around: _Surroundings) -> Found:
    """Classes and the priority, which must be offered, and granted where the namespace is a tenant's."""
    tenant = text(row, "namespace")
    for path, name in _classes(row):
        offered = around.offered if path == ("class",) else tuple(around.kinds)
        if name not in offered:
            yield path, f"{unknown('class', name, offered)} (tessera:classes of this stack)"
        elif tenant in around.grants and _level(name, around) not in around.granted(row):
            granted = ", ".join(around.granted(row)) or "none"
            yield path, f"tenant {tenant} has no quota for class {name}; allowed: {granted} (its quota)"
    priority = text(row, "priority")
    known = around.priorities(row)
    if priority and priority not in known:
        yield ("priority",), f"{unknown('priority', priority, known)} (of the classes that may be claimed there)"


def _classes(row: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Every class that a workload names."""
    places: list[tuple[Path, Mapping[str, Any]]] = [((), row)]
    for at, request in rows(row, "requests"):
        places.append((("requests", at), request))
        places += [(("requests", at, "firstAvailable", j), one) for j, one in rows(request, "firstAvailable")]
    return (((*path, "class"), name) for path, inner in places if (name := text(inner, "class")))


def _level(name: str, around: _Surroundings) -> str:
    return next((one for one in around.offered if name in service_class(one).device_class_names), name)


def _place(row: Mapping[str, Any], around: _Surroundings) -> Found:
    """The pool, and whether its machines can do what is asked of them."""
    name = text(row, "pool")
    if name and name not in around.pools:
        yield ("pool",), unknown("pool", name, tuple(around.pools))
        return
    candidates = [pool for pool in around.right_pools if name in (None, pool.name)]
    if name and candidates and candidates[0].sharing_kind not in CLAIMED:
        said = f"pool {name} shares its GPUs by {candidates[0].sharing_kind}, without claims"
        yield ("pool",), f"{said}; allowed: a pool with sharing {' or '.join(CLAIMED)}"
    if row.get("together") == "nvlink-domain" and candidates and not any(map(_spans_machines, candidates)):
        said = f"the NVLink domain of pool {name} ends" if name else "the NVLink domains of all pools end"
        yield ("together",), f"{said} at the machine; allowed: with a pool such as one of gb200-nvl72-tray"


def _spans_machines(pool: Pool) -> bool:
    """Whether a pool's NVLink domain may reach from machine to machine."""
    return pool.board not in boards.names() or boards.board(str(pool.board)).nvlink_machines > 1


def _claimed(row: Mapping[str, Any], around: _Surroundings) -> Found:
    """What the claim asks for. Looks at workloads of right form alone; the form's problems are told elsewhere."""
    workload = _validated(Workload, row)
    if workload is None:
        return
    parts = [found for path, one in _asks(workload) for found in _ask(path, one, workload, around)]
    yield from parts or _told(
        ("class",) if workload.device_class else ("requests",),
        lambda: claim(workload, around.right_pools, around.offered),
    )


def _asks(workload: Workload) -> Iterator[tuple[Path, Alternative | WorkloadRequest | Workload]]:
    if workload.device_class:
        yield (), workload
    for at, request in enumerate(workload.requests):
        if request.device_class:
            yield ("requests", at), request
        for place, one in enumerate(request.first_available):
            yield ("requests", at, "firstAvailable", place), one


def _ask(path: Path, row: Alternative | WorkloadRequest | Workload, workload: Workload, around: _Surroundings) -> Found:
    kind = around.kinds[str(row.device_class)]
    yield from _told((*path, "class"), lambda: count(row, kind, workload.pool, around.right_pools))
    if not isinstance(row, Workload):
        yield from _told((*path, "requires"), lambda: requirement(row.requires, kind))


def _told(path: Path, act: Callable[[], object]) -> Found:
    try:
        act()
    except ProblemsError as error:
        yield path, "; ".join(error.problems)
    except TesseraError as error:
        yield path, str(error)
