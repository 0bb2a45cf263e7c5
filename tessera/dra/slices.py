"""Slices: a machine's devices as NVIDIA's DRA driver publishes them (driver 0.4, whole GPUs).

Names and types follow the driver's cmd/gpu-kubelet-plugin/deviceinfo.go: one pool per node, named
like the node; devices called gpu-<minor>; memory as the only capacity. There is no vram, fp8, nvlink
or clique attribute.
"""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from tessera.dra.classes import API_VERSION
from tessera.dra.selectors import DRIVER
from tessera.hardware.boards import Board

STANDARD = "resource.kubernetes.io"


def gpu_uuid(node: str, minor: int) -> str:
    """The UUID of a simulated GPU: the same for the same node and minor, always."""
    return f"GPU-{uuid5(NAMESPACE_DNS, f'{minor}.{node}.gpu.tessera.dev')}"


def devices(node: str, board: Board) -> list[dict[str, Any]]:
    """ResourceSlice devices of a board, in the driver's order."""
    return [_device(node, minor, board) for minor in range(len(board.seats))]


def node_slice(node: str, board: Board) -> dict[str, Any]:
    """The ResourceSlice (resource.k8s.io/v1) of a node with this board; one slice is the whole pool."""
    return {
        "apiVersion": API_VERSION,
        "kind": "ResourceSlice",
        "metadata": {"name": f"{node}-{DRIVER}"},
        "spec": {
            "driver": DRIVER,
            "nodeName": node,
            "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
            "devices": devices(node, board),
        },
    }


def _device(node: str, minor: int, board: Board) -> dict[str, Any]:
    """The driver leaves out what it can't find; so does this with what the hardware tables don't know."""
    gpu, seat = board.gpu, board.seats[minor]
    attributes: dict[str, dict[str, str | None]] = {
        "type": {"string": "gpu"},
        "uuid": {"string": gpu_uuid(node, minor)},
        "productName": {"string": gpu.product},
        "brand": {"string": gpu.brand},
        "architecture": {"string": gpu.architecture},
        "cudaComputeCapability": {"version": gpu.compute_capability},
        "driverVersion": {"version": board.driver},
        "cudaDriverVersion": {"version": board.cuda},
        f"{STANDARD}/pciBusID": {"string": seat.bus},
        f"{STANDARD}/pcieRoot": {"string": seat.root},
    }
    memory = {} if gpu.memory_mib is None else {"memory": {"value": f"{gpu.memory_mib}Mi"}}
    return {
        "name": f"gpu-{minor}",
        "attributes": {name: value for name, value in attributes.items() if None not in value.values()},
        "capacity": memory,
    }
