"""Machines: what a pool names, be it an EC2 instance type or a board in a rack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tessera import naming
from tessera.errors import TesseraError
from tessera.hardware import boards, instances
from tessera.hardware.gpus import Gpu


@dataclass(frozen=True)
class Machine:
    """One machine. architecture: of the processor, amd64 or arm64. count: of GPUs. cpu: hardware threads.

    memory_mib: MiB of host memory. seats: where the GPUs sit; None is unknown, as on every instance.
    """

    key: str
    kind: Literal["instance", "board"]
    gpu: Gpu
    architecture: str
    count: int
    cpu: int
    memory_mib: int
    seats: tuple[boards.Seat, ...] | None

    @property
    def accelerator(self) -> str:
        """The word for its GPU in a recipe's conditions."""
        return self.gpu.accelerator


def names() -> list[str]:
    """Names of all known instance types and boards, sorted."""
    return sorted([*instances.names(), *boards.names()])


def machine(name: str) -> Machine:
    """The machine called name. Raises TesseraError where neither an instance nor a board is called so."""
    if name in boards.names():
        return _of_board(boards.board(name))
    if name in instances.names():
        return _of_instance(instances.instance(name))
    raise TesseraError(naming.unknown("instance or board", name, names()))


def _of_board(found: boards.Board) -> Machine:
    return Machine(
        key=found.key,
        kind="board",
        gpu=found.gpu,
        architecture=found.architecture,
        count=len(found.seats),
        cpu=found.cpu,
        memory_mib=found.memory_gib * 1024,
        seats=found.seats,
    )


def _of_instance(found: instances.Instance) -> Machine:
    return Machine(
        key=found.key,
        kind="instance",
        gpu=found.gpu,
        architecture=found.architecture,
        count=found.count,
        cpu=found.vcpus,
        memory_mib=found.memory_mib,
        seats=None,
    )
