"""RDMA network cards as DRANET publishes them, driver dra.net.

Facts: kubernetes-sigs/dranet of 2026, pkg/apis/attributes.go and pkg/inventory/db.go. A device is called after its PCI
address; what the hardware tables don't know (subsystem, addresses) is left out. rdmaDevice is for cards without a
network interface, so it is not here.
"""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from tessera.dra.gpu_devices import PCIE_ROOT, Values, present
from tessera.dra.selectors import NIC_DRIVER
from tessera.hardware.boards import Board
from tessera.hardware.nics import Nic

VENDOR = "Mellanox Technologies"
"""The PCI database's name for the maker of every card in the tables."""

_LINK = {"infiniband": ("ipoib", 4092, 20), "ether": ("device", 1500, 6)}
"""Type of the interface, its MTU in bytes without further configuration, length of its address in bytes."""


def nic_devices(node: str, board: Board) -> list[dict[str, Any]]:
    """The RDMA network cards of a node with this board, sorted by name; none where nobody knows them."""
    found = [_device(node, nic) for nic in board.nics or ()]
    return sorted(found, key=lambda device: str(device["name"]))


def _device(node: str, nic: Nic) -> dict[str, Any]:
    kind, mtu, length = _LINK[nic.link]
    own: Values = {
        "ifName": {"string": nic.interface},
        "pciAddress": {"string": nic.bus},
        "mac": {"string": _mac(node, nic, length)},
        "pciVendor": {"string": VENDOR},
        "pciDevice": {"string": nic.product},
        "numaNode": {"int": nic.numa},
        "mtu": {"int": mtu},
        "encapsulation": {"string": nic.link},
        "alias": {"string": ""},
        "state": {"string": "up"},
        "type": {"string": kind},
        "ebpf": {"bool": False},
        "sriov": {"bool": False},
        "virtual": {"bool": False},
        "rdma": {"bool": True},
    }
    attributes = {f"{NIC_DRIVER}/{name}": value for name, value in own.items()}
    return {
        "name": f"pci-{nic.bus.replace(':', '-').replace('.', '-')}",
        "attributes": present({**attributes, PCIE_ROOT: {"string": nic.root}}),
    }


def _mac(node: str, nic: Nic, length: int) -> str:
    """The address of a simulated card: locally administered, the same for the same node and card, always."""
    digits = b"\x02" + uuid5(NAMESPACE_DNS, f"{nic.bus}.{node}.nic.tessera.dev").bytes + bytes(length)
    return digits[:length].hex(":")
