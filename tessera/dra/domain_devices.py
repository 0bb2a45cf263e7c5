"""What a node offers to compute domains: memory that is shared over NVLink across machines.

Facts: driver v0.5, cmd/compute-domain-kubelet-plugin/deviceinfo.go: one daemon and one channel per node, without
capacity. A node's clique is no attribute but the label nvidia.com/gpu.clique.
"""

from __future__ import annotations

from typing import Any

from tessera.hardware.boards import Board

DOMAIN_DRIVER = "compute-domain.nvidia.com"


def domain_devices(board: Board) -> list[dict[str, Any]]:
    """The devices of one node; none on boards whose NVLink domain ends with the machine."""
    return [_device("channel"), _device("daemon")] if board.nvlink_machines > 1 else []


def _device(kind: str) -> dict[str, Any]:
    return {"name": f"{kind}-0", "attributes": {"type": {"string": kind}, "id": {"int": 0}}}
