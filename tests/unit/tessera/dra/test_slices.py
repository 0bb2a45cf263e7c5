"""Slices: just what the drivers would publish, within the API server's limits.

Facts: NVIDIA DRA driver v0.5, deviceinfo.go, mig.go, partitions.go and driver.go (dra.md 3.3 to 3.5); DRANET,
pkg/apis/attributes.go; limits of resource.k8s.io/v1 (dra.md 1.3).
"""

import json

import pytest

from tessera.dra import gpu_devices
from tessera.dra.slices import CLAIMED, SHARINGS, node_slices, offer
from tessera.errors import TesseraError
from tessera.hardware import boards, machines, mig

BOARDS = [pytest.param(boards.board(key), id=key) for key in boards.names()]
MACHINES = ["hgx-h100", "hgx-b200", "pcie-rtx-pro-6000", "pcie-l40s", "gb200-nvl72-tray"]
CUT = [key for key in MACHINES if mig.cut_on_demand(boards.board(key).gpu)]
STANDARD = "resource.kubernetes.io"
COMMON = {
    "type": "string",
    "productName": "string",
    "brand": "string",
    "architecture": "string",
    "cudaComputeCapability": "version",
    "driverVersion": "version",
    "cudaDriverVersion": "version",
    "addressingMode": "string",
    f"{STANDARD}/pciBusID": "string",
    f"{STANDARD}/pcieRoot": "string",
    f"{STANDARD}/numaNode": "int",
}
ATTRIBUTES = {
    "gpu": {**COMMON, "uuid": "string"},
    "mig": {**COMMON, "profile": "string", "parentUUID": "string"},
    "channel": {"type": "string", "id": "int"},
    "daemon": {"type": "string", "id": "int"},
    "nic": {
        "dra.net/ifName": "string",
        "dra.net/pciAddress": "string",
        "dra.net/mac": "string",
        "dra.net/pciVendor": "string",
        "dra.net/pciDevice": "string",
        "dra.net/pciSubsystem": "string",
        "dra.net/numaNode": "int",
        "dra.net/mtu": "int",
        "dra.net/encapsulation": "string",
        "dra.net/alias": "string",
        "dra.net/state": "string",
        "dra.net/type": "string",
        "dra.net/ipv4": "string",
        "dra.net/ipv6": "string",
        "dra.net/tcFilterNames": "string",
        "dra.net/tcxProgramNames": "string",
        "dra.net/ebpf": "bool",
        "dra.net/sriov": "bool",
        "dra.net/sriovVfs": "int",
        "dra.net/isSriovVf": "bool",
        "dra.net/virtual": "bool",
        "dra.net/rdma": "bool",
        "dra.net/rdmaDevice": "string",
        f"{STANDARD}/pcieRoot": "string",
    },
}
"""All that the drivers publish without further feature gates, with its type; a dynamic MIG device has no uuid."""

MIG_CAPACITIES = {
    "multiprocessors",
    "copyEngines",
    "decoders",
    "encoders",
    "jpegEngines",
    "ofaEngines",
    "memory",
}
LIMITS = {"devices": 128, "devices with counters": 64, "counter sets": 8, "counters": 32, "attributes": 32}


def kind(slice_, device):
    return "nic" if slice_["spec"]["driver"] == "dra.net" else device["attributes"]["type"]["string"]


def devices(slices):
    return [(one, device) for one in slices for device in one["spec"].get("devices", [])]


def of_driver(slices, driver="gpu.nvidia.com"):
    return [one for one in slices if one["spec"]["driver"] == driver]


@pytest.mark.parametrize("key", MACHINES)
def test_a_node_of_whole_gpus_looks_like_this(golden, key):
    """dra.md 3.3 has the names and types, 3.4 the values, 3.5 the shape of pool and slice."""
    golden(f"slices/{key}-dra", node_slices("node-0", boards.board(key), "dra"))


@pytest.mark.parametrize("key", CUT)
def test_a_node_whose_gpus_are_cut_on_demand_looks_like_this(golden, key):
    """dra.md 3.5: counters in a slice of their own, then a slice per GPU; the first GPU stands here for all."""
    found = of_driver(node_slices("node-0", boards.board(key), "dynamic-mig"))
    first = [one for one in found[0]["spec"]["sharedCounters"] if one["name"] == "gpu-0-counter-set"]
    found[0]["spec"]["sharedCounters"] = first
    golden(f"slices/{key}-dynamic-mig", found[:2])


@pytest.mark.parametrize("key", CUT)
def test_every_gpu_of_a_node_offers_the_same(key):
    board = boards.board(key)
    counters, *found = of_driver(node_slices("node-0", board, "dynamic-mig"))
    sets = counters["spec"]["sharedCounters"]
    assert [one["counters"] for one in sets] == [sets[0]["counters"]] * len(board.seats)
    for minor, one in enumerate(found):
        text = json.dumps(one["spec"]["devices"])
        assert gpu_devices.gpu_uuid("node-0", minor) in text
        assert f'"gpu-{minor}-counter-set"' in text
        assert [d["capacity"] for d in one["spec"]["devices"]] == [d["capacity"] for d in found[0]["spec"]["devices"]]


@pytest.mark.parametrize("sharing", SHARINGS)
@pytest.mark.parametrize("board", BOARDS)
def test_nothing_is_there_that_the_drivers_do_not_publish(board, sharing):
    for one, device in devices(node_slices("node-0", board, sharing)):
        allowed = ATTRIBUTES[kind(one, device)]
        assert {name: next(iter(value)) for name, value in device["attributes"].items()}.items() <= allowed.items()
        assert device.keys() <= {"name", "attributes", "capacity", "consumesCounters"}
        whole = {"memory"} if sharing == "dra" else {*MIG_CAPACITIES}
        published = set(device.get("capacity", ()))
        assert published <= {"gpu": whole, "mig": MIG_CAPACITIES}.get(kind(one, device), set())


def test_an_attribute_that_the_driver_lacks_would_be_found():
    assert not {"type": "string", "vram": "int"}.items() <= ATTRIBUTES["gpu"].items()
    assert not {"numaNode": "string"}.items() <= ATTRIBUTES["gpu"].items()


@pytest.mark.parametrize("sharing", CLAIMED)
@pytest.mark.parametrize("board", BOARDS)
def test_every_device_has_all_that_selectors_read(board, sharing):
    for one, device in devices(of_driver(node_slices("node-0", board, sharing))):
        always = set(ATTRIBUTES[kind(one, device)]) - {name for name in COMMON if "/" in name} - {"addressingMode"}
        assert always <= device["attributes"].keys()
        if kind(one, device) == "gpu":
            assert "memory" in device["capacity"]


@pytest.mark.parametrize("sharing", SHARINGS)
@pytest.mark.parametrize("board", BOARDS)
def test_every_slice_keeps_the_limits_of_the_api(board, sharing):
    """dra.md 1.3."""
    for one in node_slices("node-0", board, sharing):
        spec = one["spec"]
        found, sets = spec.get("devices", []), spec.get("sharedCounters", [])
        assert not (found and sets), "a slice may hold one of them"
        counted = any("consumesCounters" in device for device in found)
        assert len(found) <= LIMITS["devices with counters" if counted else "devices"]
        assert len(sets) <= LIMITS["counter sets"]
        assert all(0 < len(each["counters"]) <= LIMITS["counters"] for each in sets)
        for device in found:
            _within_limits(device)


def _within_limits(device):
    names = [*device["attributes"], *device.get("capacity", ())]
    assert len(names) <= LIMITS["attributes"]
    assert all(len(name.rpartition("/")[2]) <= 32 and len(name.rpartition("/")[0]) <= 63 for name in names)
    assert all(len(str(part)) <= 64 for value in device["attributes"].values() for part in value.values())
    assert all(len(value) == 1 for value in device["attributes"].values())
    consumed = device.get("consumesCounters", [])
    assert len(consumed) <= 2
    assert all(len(each["counters"]) <= LIMITS["counters"] for each in consumed)


@pytest.mark.parametrize("sharing", SHARINGS)
@pytest.mark.parametrize("board", BOARDS)
def test_the_slices_of_a_driver_are_one_pool_that_is_complete(board, sharing):
    found = node_slices("h100-7", board, sharing)
    assert len({one["metadata"]["name"] for one in found}) == len(found)
    for driver in {one["spec"]["driver"] for one in found}:
        pool = of_driver(found, driver)
        assert {one["spec"]["nodeName"] for one in pool} == {"h100-7"}
        assert all(
            one["spec"]["pool"] == {"name": "h100-7", "generation": 1, "resourceSliceCount": len(pool)} for one in pool
        )
        names = [device["name"] for _, device in devices(pool)]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("board", BOARDS)
def test_whole_gpus_are_called_like_their_minor_in_the_drivers_order(board):
    (pool,) = of_driver(node_slices("n", board, "dra"))
    assert [device["name"] for device in pool["spec"]["devices"]] == [f"gpu-{at}" for at in range(len(board.seats))]


@pytest.mark.parametrize("board", BOARDS)
def test_cut_on_demand_each_gpu_has_a_slice_of_its_own_sorted_by_name(board):
    counters, *found = of_driver(node_slices("n", board, "dynamic-mig"))
    assert len(found) == len(board.seats)
    assert "devices" not in counters["spec"]
    for one in found:
        names = [device["name"] for device in one["spec"]["devices"]]
        assert names == sorted(names)


def test_a_gpu_without_mig_on_demand_stays_whole():
    first, *found = of_driver(node_slices("n", boards.board("pcie-l40s"), "dynamic-mig"))
    assert first["spec"].keys() == {"driver", "nodeName", "pool"}
    whole = of_driver(node_slices("n", boards.board("pcie-l40s"), "dra"))[0]["spec"]["devices"]
    assert [one["spec"]["devices"] for one in found] == [[device] for device in whole]


@pytest.mark.parametrize("sharing", [way for way in SHARINGS if way not in CLAIMED])
@pytest.mark.parametrize("board", BOARDS)
def test_where_the_device_plugin_hands_out_gpus_there_are_none_in_slices(board, sharing):
    assert {one["spec"]["driver"] for one in node_slices("n", board, sharing)} <= {"dra.net"}


@pytest.mark.parametrize("board", BOARDS)
def test_versions_have_three_numbers_without_leading_zeros(board):
    """580.105.08 of NVML is 580.105.8 in a slice; a version attribute would be refused otherwise."""
    for _, device in devices(node_slices("node-0", board, "dynamic-mig")):
        versions = [value["version"] for value in device["attributes"].values() if "version" in value]
        numbers = [version.split(".") for version in versions]
        assert all(len(parts) == 3 and all(str(int(part)) == part for part in parts) for parts in numbers)


def test_the_same_node_looks_the_same_each_time():
    board = boards.board("hgx-h100")
    assert node_slices("h100-0", board, "dynamic-mig") == node_slices("h100-0", board, "dynamic-mig")


@pytest.mark.parametrize("name", machines.names())
@pytest.mark.parametrize("sharing", SHARINGS)
def test_any_machine_offers_what_a_node_of_it_would_publish(name, sharing):
    machine = machines.machine(name)
    found = offer(machine, sharing)
    whole = [one for one in found if one.device["attributes"].get("type") == {"string": "gpu"}]
    assert len(whole) == (machine.count if sharing in CLAIMED else 0)
    if machine.kind == "board":
        published = devices(node_slices(name, boards.board(name), sharing))
        assert [one.device for one in found] == [device for _, device in published]


def test_an_instance_offers_no_place_on_pcie():
    for one in offer(machines.machine("p5.48xlarge"), "dynamic-mig"):
        assert not [name for name in one.device["attributes"] if name.startswith(STANDARD)]


def test_an_unknown_sharing_gets_the_nearest_word():
    with pytest.raises(TesseraError, match=r"unknown sharing 'dynamic_mig' \(did you mean 'dynamic-mig'\?\)"):
        node_slices("n", boards.board("hgx-h100"), "dynamic_mig")
