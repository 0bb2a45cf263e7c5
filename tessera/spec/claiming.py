"""What workloads of a stack file claim, in the words of tessera.dra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tessera.dra.claims import Ask, Claim, Request, Same
from tessera.dra.classes import ServiceClass, class_claim, service_class
from tessera.dra.requirements import GPU, MIG, Requirement, nvlink_products
from tessera.dra.slices import CLAIMED
from tessera.dra.workloads import ClaimingWorkload
from tessera.errors import ProblemsError, TesseraError
from tessera.hardware.gpus import Gpu
from tessera.spec import machines
from tessera.spec.pool import Pool
from tessera.spec.workload import ALL, Alternative, Requires, Workload, WorkloadRequest

_CPU = {GPU: 4, MIG: 1}
_MEMORY_GIB = {GPU: 32, MIG: 8}
"""Of a pod, for each device that it claims."""

_WHOLE_BOARD = 8
"""GPUs that `count: all` is sized for where no pool says better."""


@dataclass(frozen=True)
class Kind:
    """Devices of one DeviceClass. count: of one claim where the stack file says none; BOARD is all of a board."""

    name: str
    requires: Requirement
    count: int | str


def kinds(offered: Sequence[str]) -> dict[str, Kind]:
    """Kinds of device by DeviceClass: of these service classes and of what comes with them."""
    levels = [service_class(name) for name in offered]
    own = [Kind(level.name, level.requires, level.count) for level in levels]
    others = [Kind(one.device_class, one.requires, 1) for level in levels for one in level.companions]
    return {kind.name: kind for kind in (*own, *others)}


def claiming(workload: Workload, pools: Sequence[Pool], offered: Sequence[str]) -> ClaimingWorkload:
    """A workload with all that its file leaves open. offered: tessera:classes. Raises ProblemsError."""
    asked = claim(workload, pools, offered)
    found = kinds(offered)
    taken_from = next((pool for pool in pools if pool.name == workload.pool), None)
    return ClaimingWorkload(
        name=workload.name,
        namespace=workload.namespace,
        kind=workload.kind,
        replicas=workload.replicas,
        labels=workload.labels,
        container=workload.container,
        image=workload.image,
        env=workload.env,
        user=workload.user,
        cpu=workload.cpu or str(_sized(asked, found, _CPU)),
        memory=workload.memory or f"{_sized(asked, found, _MEMORY_GIB)}Gi",
        claim_name=workload.claim,
        claim=asked,
        template="" if workload.resource_claim else workload.template or workload.name,
        resource_claim=workload.resource_claim or "",
        pool=workload.pool or "",
        tolerations=_tolerations(taken_from) if taken_from else (),
        together=workload.together is not None,
        priority=workload.priority or service_class(_level_of(asked.classes[0], offered)).priority,
    )


def claim(workload: Workload, pools: Sequence[Pool], offered: Sequence[str]) -> Claim:
    """What each claim of a workload asks for. Raises ProblemsError with everything that is wrong."""
    found = kinds(offered)
    base = _of_class(workload, pools) if workload.device_class else None
    requests = base.requests if base else tuple(_request(row, workload, pools, found) for row in workload.requests)
    rows = tuple(Same(row.what, row.requests) for row in workload.same)
    return Claim(requests, (*(base.same if base else ()), *rows))


def count(
    row: Alternative | WorkloadRequest | Workload, kind: Kind, pool: str | None, pools: Sequence[Pool]
) -> int | None:
    """Devices that a row asks for; None is all of a node. pool: where they must be.

    Raises TesseraError where the boards that it could mean differ.
    """
    if row.count is not None:
        return None if row.count == ALL else int(row.count)
    return kind.count if isinstance(kind.count, int) else _board_count(kind, pool, pools)


def requirement(requires: Requires, kind: Kind) -> Requirement | None:
    """What a row requires of its devices; None where that is nothing. Raises ProblemsError."""
    stated = {key: getattr(requires, key) for key in requires.model_fields_set}
    return Requirement(device=kind.requires.device, **stated) if stated else None


def _of_class(workload: Workload, pools: Sequence[Pool]) -> Claim:
    level = service_class(str(workload.device_class))
    kind = Kind(level.name, level.requires, level.count)
    wanted = count(workload, kind, workload.pool, pools)
    if not level.companions:
        return Claim((Request(workload.request or level.requires.device, (Ask(level.name, wanted),)),))
    if wanted is None or workload.request:
        said = f"class {level.name} brings {', '.join(one.name for one in level.companions)}, so "
        raise ProblemsError([said + ("each device is counted; allowed: a number" if wanted is None else _named(level))])
    return class_claim(level, wanted)


def _named(level: ServiceClass) -> str:
    names = (level.requires.device, *(one.name for one in level.companions))
    return f"its requests are called {', '.join(names)}; take request out"


def _request(row: WorkloadRequest, workload: Workload, pools: Sequence[Pool], found: Mapping[str, Kind]) -> Request:
    asks = row.first_available or (row,)
    return Request(row.name, tuple(_ask(one, workload, pools, found, len(asks) > 1) for one in asks))


def _ask(
    row: Alternative | WorkloadRequest,
    workload: Workload,
    pools: Sequence[Pool],
    found: Mapping[str, Kind],
    named: bool,
) -> Ask:
    kind = found[str(row.device_class)]
    wanted = count(row, kind, workload.pool, pools)
    return Ask(kind.name, wanted, requirement(row.requires, kind), row.name if named else "")


def _board_count(kind: Kind, pool: str | None, pools: Sequence[Pool]) -> int:
    boards = {one.name: number for one in pools if pool in (None, one.name) and (number := _gpus(one, kind))}
    if len(set(boards.values())) == 1:
        return next(iter(boards.values()))
    if boards:
        said = ", ".join(f"{name} has {number}" for name, number in boards.items())
        raise TesseraError(
            f"{kind.name} is all GPUs of a board, and pools differ: {said}; allowed: with a pool or a count"
        )
    where = f"pool {pool}" if pool else "no pool"
    said = "has no such board" if pool else "of this stack has such a board"
    raise TesseraError(f"{kind.name} is all GPUs of an NVLink board, and {where} {said}; allowed: with a count")


def _gpus(pool: Pool, kind: Kind) -> int:
    """GPUs on a board of a pool, if they are what a kind asks for."""
    machine = machines.known(pool.board, pool.instance)
    fits = machine is not None and pool.sharing_kind in CLAIMED and _may_be(machine.gpu, kind.requires)
    return machine.count if machine and fits else 0


def _may_be(gpu: Gpu, wanted: Requirement) -> bool:
    joined = not wanted.nvlink or gpu.key in nvlink_products()
    return joined and (not wanted.product or gpu.key in wanted.product)


def _sized(asked: Claim, found: Mapping[str, Kind], each: Mapping[str, int]) -> int:
    """A pod's share of the host: so much for each device; of alternatives, the largest."""
    return max(1, sum(max(_weight(ask, found, each) for ask in request.asks) for request in asked.requests))


def _weight(ask: Ask, found: Mapping[str, Kind], each: Mapping[str, int]) -> int:
    return each.get(found[ask.device_class].requires.device, 0) * (ask.count or _WHOLE_BOARD)


def _tolerations(pool: Pool) -> list[dict[str, str]]:
    return [{"key": one.key, "operator": "Equal", "value": one.value, "effect": one.effect} for one in pool.taints]


def _level_of(device_class: str, offered: Sequence[str]) -> str:
    """The service class that a DeviceClass is of."""
    return next(name for name in offered if device_class in service_class(name).device_class_names)
