"""Every kind of device that a node of any known board publishes, without what only tells one from another."""

from collections.abc import Iterator

from tessera.dra.slices import node_slices
from tessera.hardware.boards import board, names

ID = "test.tessera.dev"
"""Domain of the attribute by which a selector of a test can name one device."""

PER_NODE = 31
"""A claim may hold 32 devices, and each node has one more, of which no selector knows but by its id."""

_OWN = ("uuid", "parentUUID", "resource.kubernetes.io/pciBusID", "resource.kubernetes.io/pcieRoot", "dra.net/ifName",
        "dra.net/pciAddress", "dra.net/mac", "resource.kubernetes.io/numaNode", "dra.net/numaNode", "id")  # fmt: skip
_HAND_MADE = (
    {"attributes": {}},
    {
        "attributes": {"type": {"string": "gpu"}, "rdma": {"bool": True}, "id": {"int": 2}},
        "allowMultipleAllocations": True,
    },
    {
        "attributes": {"type": {"bool": True}, "cudaComputeCapability": {"string": "9.0.0"}},
        "capacity": {"memory": {"value": "1500m"}},
    },
    {
        "attributes": {"driverVersion": {"version": "570.0.0-rc.1+b2"}, "productName": {"string": ""}},
        "capacity": {"memory": {"value": "0"}},
    },
)
"""Types that no driver publishes under these names, a prerelease, a fraction, nothing at all."""


def published() -> list[tuple[str, dict]]:
    """Driver and device, each device with an id of its own."""
    return [(driver, _named(device, number)) for number, (driver, device) in enumerate(_distinct())]


def _distinct() -> Iterator[tuple[str, dict]]:
    seen = set()
    slices = [one for key in names() for way in ("dra", "dynamic-mig") for one in node_slices(key, board(key), way)]
    offered = [(one["spec"]["driver"], device) for one in slices for device in one["spec"].get("devices", ())]
    for driver, device in (*offered, *(("gpu.nvidia.com", device) for device in _HAND_MADE)):
        kind = device.get("attributes", {}), device.get("capacity", {}), device.get("allowMultipleAllocations")
        alike = str(({name: value for name, value in kind[0].items() if name not in _OWN}, *kind[1:], driver))
        if alike not in seen:
            seen.add(alike)
            yield driver, device


def _named(device: dict, number: int) -> dict:
    kept = {name: device[name] for name in ("capacity", "allowMultipleAllocations") if device.get(name)}
    attributes = {**device.get("attributes", {}), f"{ID}/id": {"string": f"d{number}"}}
    return {"name": f"d{number}", "attributes": attributes, **kept}
