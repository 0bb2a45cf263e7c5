"""What the hardware tables say of the machines that a stack file names; what they leave open stays unknown."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tessera.errors import ProblemsError
from tessera.hardware import boards, instances, mig
from tessera.hardware.gpus import NO_MIG
from tessera.hardware.machines import Machine, machine


@cache
def board_names() -> tuple[str, ...]:
    """Keys of all boards."""
    return tuple(boards.names())


@cache
def instance_names() -> tuple[str, ...]:
    """Keys of all instance types."""
    return tuple(instances.names())


def known(board: str | None, instance: str | None) -> Machine | None:
    """The machine that a pool names, where the tables have it."""
    if board in board_names() or instance in instance_names():
        return machine(board if board in board_names() else instance or "")
    return None


def has_efa(instance: str) -> bool:
    """Whether an instance type of the tables has EFA."""
    return instances.instance(instance).efa > 0


def usage(instance: str) -> tuple[str, ...]:
    """How an instance type of the tables can be had: on-demand, spot, capacity-block."""
    return instances.instance(instance).usage


def has_mig(found: Machine) -> bool | None:
    """Whether a machine's GPUs can be cut; None where nobody knows."""
    return None if found.gpu.mig is None else found.gpu.mig != NO_MIG


def mig_profiles(found: Machine) -> tuple[str, ...]:
    """Names of the MIG profiles of a machine's GPUs; none where nobody knows them."""
    return tuple(one.name for one in mig.profiles(found.gpu)) if has_mig(found) else ()


def mig_misfits(found: Machine, counts: Mapping[str, int]) -> tuple[str, ...]:
    """Why one GPU of a machine can't be cut so. counts: MIG devices by profile."""
    try:
        mig.place(found.gpu, counts)
    except ProblemsError as error:
        return error.problems
    return ()
