"""Whole GPUs as NVIDIA's DRA driver publishes them.

Facts: driver v0.5, cmd/gpu-kubelet-plugin/deviceinfo.go. numaNode came with 0.5 for GPUs; gpuModuleID and partitions
need a gate that is off. There is no vram, fp8, nvlink, model or clique attribute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from tessera.dra.capacities import MEMORY, capacity
from tessera.hardware.boards import Board, Seat
from tessera.hardware.gpus import Gpu
from tessera.hardware.machines import Machine

STANDARD = "resource.kubernetes.io"
PCIE_ROOT = f"{STANDARD}/pcieRoot"
NO_SEAT = Seat(None, None, None, None)
"""The place of a GPU on an instance: nobody knows it."""

type Values = Mapping[str, Mapping[str, str | int | bool | None]]


@dataclass(frozen=True)
class Placed:
    """One GPU of one node, by its minor. driver, cuda: versions; None is unknown, as on an instance."""

    node: str
    minor: int
    gpu: Gpu
    seat: Seat
    driver: str | None
    cuda: str | None

    @property
    def name(self) -> str:
        """What the driver calls the whole of it."""
        return f"gpu-{self.minor}"

    @property
    def uuid(self) -> str:
        """Its UUID."""
        return gpu_uuid(self.node, self.minor)


def of_board(node: str, board: Board) -> list[Placed]:
    """The GPUs of a node with this board, in the driver's order."""
    return [Placed(node, minor, board.gpu, seat, board.driver, board.cuda) for minor, seat in enumerate(board.seats)]


def of_instance(machine: Machine) -> list[Placed]:
    """The GPUs of an instance."""
    return [Placed(machine.key, minor, machine.gpu, NO_SEAT, None, None) for minor in range(machine.count)]


def gpu_uuid(node: str, minor: int) -> str:
    """The UUID of a simulated GPU: the same for the same node and minor, always."""
    return f"GPU-{uuid5(NAMESPACE_DNS, f'{minor}.{node}.gpu.tessera.dev')}"


def gpu_device(placed: Placed) -> dict[str, Any]:
    """The whole GPU as a device."""
    attributes = {"type": {"string": "gpu"}, "uuid": {"string": placed.uuid}, **common(placed)}
    amounts = {} if placed.gpu.memory_mib is None else {MEMORY: placed.gpu.memory_mib}
    return {"name": placed.name, "attributes": present(attributes), "capacity": capacity(amounts)}


def common(placed: Placed) -> Values:
    """Attributes that a GPU shares with its MIG devices."""
    gpu, seat = placed.gpu, placed.seat
    return {
        "productName": {"string": gpu.product},
        "brand": {"string": gpu.brand},
        "architecture": {"string": gpu.architecture},
        "cudaComputeCapability": {"version": gpu.compute_capability},
        "driverVersion": {"version": placed.driver},
        "cudaDriverVersion": {"version": placed.cuda},
        f"{STANDARD}/pciBusID": {"string": seat.bus},
        PCIE_ROOT: {"string": seat.root},
        f"{STANDARD}/numaNode": {"int": seat.numa},
    }


def present(attributes: Values) -> dict[str, Any]:
    """Attributes that are known: a driver leaves out what it can't find, and so do we."""
    return {name: dict(value) for name, value in attributes.items() if None not in value.values()}
