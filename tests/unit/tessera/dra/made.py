"""Requirements as anybody may write them, and every kind of device that they may meet."""

import json

from hypothesis import strategies as st

from tessera.dra.requirements import Requirement, nvlink_products
from tessera.dra.selectors import DRIVER, NIC_DRIVER
from tessera.dra.slices import Offered, offer
from tessera.errors import TesseraError
from tessera.hardware import gpus, mig
from tessera.hardware.machines import machine, names

PRODUCTS = [key for key in gpus.names() if gpus.gpu(key).product]
ARCHITECTURES = sorted({gpus.gpu(key).architecture for key in gpus.names()})
MEMORIES = ["1", "4864Mi", "9G", "24G", "24Gi", "49.7G", "80G", "80Gi", "141G", "1.5T", "2e10"]
VERSIONS = ["0.0.0", "8.0.0", "8.9.0", "9.0.0", "10.0.0", "10.3.0", "12.0.0", "99.0.1"]
IDENTITIES = ("uuid", "parentUUID", "pciBusID", "pcieRoot", "numaNode", "ifName", "pciAddress", "mac")


def _profiles():
    found = {}
    for key in PRODUCTS:
        try:
            found[key] = [one.name for one in mig.profiles(gpus.gpu(key))]
        except TesseraError:  # none, or unknown
            continue
    return found


PROFILES = _profiles()


@st.composite
def requirements(draw):
    device = draw(st.sampled_from(["gpu", "gpu", "mig", "mig", "nic"]))
    if device == "nic":
        return Requirement(device="nic")
    low, high = sorted(draw(st.lists(st.sampled_from(range(len(MEMORIES))), min_size=2, max_size=2)))
    words = {
        "memory": draw(st.sampled_from([None, MEMORIES[low]])),
        "memory_at_most": draw(st.sampled_from([None, MEMORIES[high]])) if _ordered(low, high) else None,
        "compute_capability": draw(st.none() | st.sampled_from(VERSIONS)),
        "architecture": draw(st.none() | st.sampled_from(ARCHITECTURES)),
    }
    return Requirement(device=device, **words, **draw(_whole() if device == "gpu" else _cut()))


def _ordered(low, high):
    from tessera.dra.quantity import parse

    return parse(MEMORIES[low]) <= parse(MEMORIES[high])


def _products(among):
    return st.lists(st.sampled_from(list(among)), max_size=3, unique=True).map(tuple)


def _whole():
    joined = st.fixed_dictionaries({"nvlink": st.just(True), "product": _products(nvlink_products())})
    return joined | st.fixed_dictionaries({"product": _products(PRODUCTS)})


def _cut():
    keys = st.sampled_from(sorted(PROFILES))
    named = keys.flatmap(
        lambda key: st.fixed_dictionaries({"product": st.just((key,)), "profile": st.sampled_from(PROFILES[key])})
    )
    return named | st.fixed_dictionaries({"product": _products(PRODUCTS)})


def kinds() -> list[Offered]:
    """Every device that some machine of the tables publishes, of equal ones the first, and a few odd ones."""
    found = {}
    for name in names():
        for sharing in ("dra", "dynamic-mig"):
            for one in offer(machine(name), sharing):
                found.setdefault(_kind(one), one)
    return [*found.values(), *ODD]


def _kind(one: Offered) -> str:
    own = {key: value for key, value in one.device["attributes"].items() if key.rpartition("/")[2] not in IDENTITIES}
    return json.dumps([one.driver, own, one.device.get("capacity")], sort_keys=True)


_H100 = offer(machine("hgx-h100"), "dra")[0].device
ODD = [
    Offered(DRIVER, {**_H100, "capacity": {}}),
    Offered(NIC_DRIVER, {"name": "eth0", "attributes": {"dra.net/ifName": {"string": "eth0"}}}),
    Offered(NIC_DRIVER, {"name": "eth1", "attributes": {"dra.net/rdma": {"bool": False}}}),
    Offered("compute-domain.nvidia.com", {"name": "daemon-0", "attributes": {"type": {"string": "daemon"}}}),
]
"""A GPU whose memory NVML can't tell, cards without RDMA, and a device of NVIDIA's other driver."""
