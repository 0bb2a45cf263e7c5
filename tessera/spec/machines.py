"""What the hardware tables say of the machines that a stack file names; what they leave open stays unknown."""

from __future__ import annotations

from functools import cache

from tessera.hardware import boards, instances
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
