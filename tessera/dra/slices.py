"""Slices: all ResourceSlices of a node, one pool per driver, called like the node.

NVIDIA's driver publishes one slice of whole GPUs; with DynamicMIG one slice of counters and then one of devices per
GPU, for no slice may hold both. With the device plugin (none, mig, time-slicing, mps) it publishes no GPU. DRANET
publishes network cards beside any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tessera import naming
from tessera.dra.api import API_VERSION
from tessera.dra.domain_devices import DOMAIN_DRIVER, domain_devices
from tessera.dra.gpu_devices import Placed, gpu_device, of_board, of_instance
from tessera.dra.mig_devices import counter_sets, partitions
from tessera.dra.nic_devices import nic_devices
from tessera.dra.selectors import DRIVER, NIC_DRIVER
from tessera.errors import TesseraError
from tessera.hardware.boards import Board, board
from tessera.hardware.machines import Machine

DYNAMIC_MIG = "dynamic-mig"
CLAIMED = ("dra", DYNAMIC_MIG)
"""Ways to share in which GPUs are had through claims."""

SHARINGS = (*CLAIMED, "none", "mig", "time-slicing", "mps")

type Device = dict[str, Any]


@dataclass(frozen=True)
class Offered:
    """A device that a node would publish, as in a slice's devices."""

    driver: str
    device: Device


def sharing_word(sharing: str) -> str:
    """The word, if it is a way to share. Raises TesseraError."""
    if sharing not in SHARINGS:
        raise TesseraError(naming.unknown("sharing", sharing, SHARINGS))
    return sharing


def node_slices(node: str, board: Board, sharing: str) -> list[dict[str, Any]]:
    """All ResourceSlices (resource.k8s.io/v1) of a node with this board. Raises TesseraError: unknown sharing."""
    domain = domain_devices(board) if sharing in CLAIMED else []
    return [
        *_gpu_slices(node, of_board(node, board), sharing_word(sharing)),
        *_only_slice(node, NIC_DRIVER, nic_devices(node, board)),
        *_only_slice(node, DOMAIN_DRIVER, domain),
    ]


def offer(machine: Machine, sharing: str) -> tuple[Offered, ...]:
    """The devices that one node of this machine would publish; what is unknown of an instance is left out."""
    sharing_word(sharing)
    if machine.kind == "board":
        slices = node_slices(machine.key, board(machine.key), sharing)
    else:
        slices = _gpu_slices(machine.key, of_instance(machine), sharing)
    found = [(one["spec"]["driver"], device) for one in slices for device in one["spec"].get("devices", ())]
    return tuple(Offered(driver, device) for driver, device in found)


def _gpu_slices(node: str, gpus: Sequence[Placed], sharing: str) -> list[dict[str, Any]]:
    if sharing not in CLAIMED:
        return []
    if sharing == DYNAMIC_MIG:
        return _cut_slices(node, sorted(gpus, key=lambda placed: placed.seat.bus or ""))
    return _only_slice(node, DRIVER, [gpu_device(placed) for placed in gpus])


def _cut_slices(node: str, gpus: Sequence[Placed]) -> list[dict[str, Any]]:
    """The driver publishes the counters first; where no GPU can be cut, that slice is empty."""
    sets = [one for placed in gpus for one in counter_sets(placed)]
    count = len(gpus) + 1
    first = _slice(node, DRIVER, "-counters", count, {"sharedCounters": sets} if sets else {})
    return [first, *(_slice(node, DRIVER, f"-{p.minor}", count, {"devices": partitions(p)}) for p in gpus)]


def _only_slice(node: str, driver: str, devices: list[Device]) -> list[dict[str, Any]]:
    return [_slice(node, driver, "", 1, {"devices": devices})] if devices else []


def _slice(node: str, driver: str, suffix: str, count: int, content: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": API_VERSION,
        "kind": "ResourceSlice",
        "metadata": {"name": f"{node}-{driver}{suffix}"},
        "spec": {
            "driver": driver,
            "nodeName": node,
            "pool": {"name": node, "generation": 1, "resourceSliceCount": count},
            **content,
        },
    }
