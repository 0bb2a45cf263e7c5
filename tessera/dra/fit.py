"""Fit: which pools have devices of a class, how many, and where none has, what comes nearest.

A pool's nodes are judged by what they would publish, so no cluster is needed. What the hardware tables don't know is
unknown and no refusal: a node of the pool tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from tessera.dra.at_once import at_once
from tessera.dra.claims import SAME
from tessera.dra.classes import BOARD, Companion, ServiceClass
from tessera.dra.requirements import MIG, NIC, Requirement
from tessera.dra.slices import CLAIMED, DYNAMIC_MIG, Offered, offer
from tessera.dra.verdicts import Miss, driver_of, misses
from tessera.hardware.gpus import NO_MIG
from tessera.hardware.machines import Machine
from tessera.hardware.mig import cut_on_demand

type Answer = Literal["yes", "unknown", "no"]


@dataclass(frozen=True)
class Pool:
    """Nodes of one machine. nodes: count of them. sharing: a way to share, of slices.SHARINGS."""

    name: str
    machine: Machine
    nodes: int
    sharing: str

    def __str__(self) -> str:
        gpu = self.machine.gpu
        return f"pool {self.name} ({gpu.product or gpu.key})"


@dataclass(frozen=True)
class PoolFit:
    """Whether a pool has such devices. per_node: the most that one node gives at once.

    why: of an answer that is no or unknown. far: how far the nearest device is, as a count of conditions that it does
    not meet and the distance of its amounts; remedy: what would help, where something on the pool does.
    """

    pool: Pool
    answer: Answer
    per_node: int = 0
    why: str = ""
    far: tuple[int, float] = (0, 0)
    remedy: str = ""

    @property
    def total(self) -> int:
        """Devices of all nodes at once."""
        return self.per_node * self.pool.nodes


@dataclass(frozen=True)
class Fit:
    """A class against all pools of a stack."""

    level: ServiceClass
    pools: tuple[PoolFit, ...]

    @property
    def answer(self) -> Answer:
        """yes where a pool fits, else unknown where one may."""
        found = {one.answer for one in self.pools}
        return next((answer for answer in ("yes", "unknown") if answer in found), "no")

    @property
    def problem(self) -> str:
        """What is wrong where no pool fits, with the nearest miss and what would help."""
        if not self.pools:
            return f"class {self.level.name}: no pool of this stack has GPUs; add one"
        near = min(self.pools, key=lambda one: one.far)
        what = "such a board" if self.level.count == BOARD else "such a device"
        help_ = f"{near.remedy or 'ask for less'} or add a pool"
        said = f"no pool of this stack has {what}; nearest: {near.pool}: {near.why}; {help_}"
        return f"class {self.level.name}: {said}"


def fit(level: ServiceClass, pools: Sequence[Pool]) -> Fit:
    """Which of these pools can serve a class, and of each that can not, what comes nearest."""
    return Fit(level, tuple(_advised(level, pool) for pool in pools))


def problem(level: ServiceClass, pools: Sequence[Pool]) -> str:
    """Fit.problem where no pool fits, else nothing. Looks no further than to the first pool that can, or may."""
    if any(_pool_fit(level, pool).answer != "no" for pool in pools):
        return ""
    return fit(level, pools).problem


def devices(wanted: Requirement, pool: Pool) -> PoolFit:
    """Whether a pool has devices that satisfy a requirement."""
    if wanted.device != NIC and pool.sharing not in CLAIMED:
        return PoolFit(pool, "no", why=_by_plugin(pool), far=(1, 0))
    judged = _judged(wanted, pool.machine, pool.sharing)
    if having := [one for one, missed in judged if not missed]:
        return PoolFit(pool, "yes", at_once(having, _offered(pool.machine, pool.sharing)))
    if wanted.device == MIG and pool.sharing == DYNAMIC_MIG and cut_on_demand(pool.machine.gpu) is None:
        return PoolFit(pool, "unknown", why=f"MIG profiles of {pool.machine.gpu.key} are unknown", far=(1, 0))
    maybe = [missed for _, missed in judged if all(miss.unknown for miss in missed)]
    near = min(maybe or [missed for _, missed in judged], key=_far, default=(Miss("no device is published"),))
    return PoolFit(pool, "unknown" if maybe else "no", why=_said(near, wanted, pool.machine), far=_far(near))


def _advised(level: ServiceClass, pool: Pool) -> PoolFit:
    """How a pool fits; where it does not, whether another way to share would do, or else what claims would miss."""
    found = _pool_fit(level, pool)
    if found.answer != "no":
        return found
    others = {one: _pool_fit(level, replace(pool, sharing=one)) for one in CLAIMED if one != pool.sharing}
    for sharing, other in others.items():
        if other.answer == "yes":
            why = _by_plugin(pool) if pool.sharing not in CLAIMED else f"it shares by {pool.sharing}"
            return replace(found, why=why, far=(0, 0), remedy=f"set sharing: {sharing}")
    if level.requires.device == NIC or pool.sharing in CLAIMED:
        return found
    near = min(others.values(), key=lambda one: one.far)
    return replace(found, why=f"{_by_plugin(pool)}; {near.why}", far=(near.far[0] + 1, near.far[1]))


def _pool_fit(level: ServiceClass, pool: Pool) -> PoolFit:
    own = devices(level.requires, pool)
    least = 2 if level.count == BOARD else int(level.count)
    if own.answer == "yes" and own.per_node < least:
        wanted = "all of a board that NVLink joins" if level.count == BOARD else str(level.count)
        return PoolFit(pool, "no", why=f"{own.per_node} at once on a node, wanted {wanted}", far=(1, 0))
    if own.answer == "yes" and level.companions:
        return min((_with(level, one, pool) for one in level.companions), key=lambda one: one.per_node)
    return own


def _with(level: ServiceClass, companion: Companion, pool: Pool) -> PoolFit:
    """The class's own devices that have a companion's device at the same place."""
    own, other = (_having(wanted, pool) for wanted in (level.requires, companion.requires))
    attribute = SAME[companion.same]
    places = dict.fromkeys(filter(None, (_text(one, attribute) for one in own)))
    node = _offered(pool.machine, pool.sharing)
    pairs = sum(min(at_once(_at(found, attribute, place), node) for found in (own, other)) for place in places)
    if pairs:
        return PoolFit(pool, "yes", pairs)
    if not _seats_known(pool.machine):
        said = f"which GPU and {companion.name} of {pool.machine.key} share their {companion.same} is unknown"
        return PoolFit(pool, "unknown", why=f"{said}; a running node tells", far=(1, 0))
    return PoolFit(pool, "no", why=f"no {companion.name} shares its {companion.same} with a GPU", far=(1, 0))


def _having(wanted: Requirement, pool: Pool) -> list[Offered]:
    return [one for one, missed in _judged(wanted, pool.machine, pool.sharing) if not missed]


def _seats_known(machine: Machine) -> bool:
    return machine.seats is not None and all(seat.nics is not None for seat in machine.seats)


def _at(found: Iterable[Offered], attribute: str, place: str) -> list[Offered]:
    return [one for one in found if _text(one, attribute) == place]


def _text(one: Offered, attribute: str) -> str:
    value = one.device["attributes"].get(attribute, {})
    return str(next(iter(value.values()), ""))


def _by_plugin(pool: Pool) -> str:
    return f"it shares by {pool.sharing}, so the device plugin serves it, not claims"


def _far(missed: Sequence[Miss]) -> tuple[int, float]:
    return len(missed), sum(miss.distance for miss in missed)


def _said(near: Sequence[Miss], wanted: Requirement, machine: Machine) -> str:
    without = [f"{machine.gpu.key} has no MIG"] if wanted.device == MIG and machine.gpu.mig == NO_MIG else []
    return "; ".join([*(miss.said for miss in near), *without])


@cache
def _judged(wanted: Requirement, machine: Machine, sharing: str) -> tuple[tuple[Offered, tuple[Miss, ...]], ...]:
    """Every device of a node that is of the right driver, with what it misses."""
    found = ((one, misses(wanted, one.driver, one.device)) for one in _offered(machine, sharing))
    return tuple((one, missed) for one, missed in found if one.driver == driver_of(wanted))


@cache
def _offered(machine: Machine, sharing: str) -> tuple[Offered, ...]:
    return offer(machine, sharing)
