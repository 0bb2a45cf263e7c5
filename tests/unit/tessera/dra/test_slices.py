"""Slices: just what NVIDIA's driver would publish, within the API server's limits."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.slices import devices, gpu_uuid, node_slice
from tessera.hardware import boards

BOARDS = [pytest.param(boards.board(key), id=key) for key in boards.names()]
STANDARD = "resource.kubernetes.io"
PUBLISHED = {
    "type": "string",
    "uuid": "string",
    "productName": "string",
    "brand": "string",
    "architecture": "string",
    "cudaComputeCapability": "version",
    "driverVersion": "version",
    "cudaDriverVersion": "version",
    "addressingMode": "string",
    f"{STANDARD}/pciBusID": "string",
    f"{STANDARD}/pcieRoot": "string",
}
"""The gpu column of dra.md 3.3 for driver 0.4: no numaNode, which came with 0.5, and no gate is on."""


def test_a_node_of_hgx_h100_looks_like_this(golden):
    """dra.md 3.3 has the names and types, 3.4 the values, 3.5 the shape of pool and slice."""
    golden("hgx-h100", node_slice("h100-0", boards.board("hgx-h100")))


@pytest.mark.parametrize("board", BOARDS)
def test_no_attribute_is_there_that_the_driver_does_not_publish(board):
    for device in devices("node-0", board):
        kinds = {name: next(iter(value)) for name, value in device["attributes"].items()}
        assert kinds.items() <= PUBLISHED.items()
        assert set(device["capacity"]) == {"memory"}


@pytest.mark.parametrize("board", BOARDS)
def test_a_slice_keeps_the_limits_of_the_api(board):
    """dra.md 1.3: 128 devices, 32 attributes and capacities, values of 64 and names of 32 letters."""
    found = node_slice("node-0", board)["spec"]["devices"]
    assert 0 < len(found) <= 128
    for device in found:
        names = [*device["attributes"], *device["capacity"]]
        assert len(names) <= 32
        assert all(len(name.rpartition("/")[2]) <= 32 and len(name.rpartition("/")[0]) <= 63 for name in names)
        assert all(len(str(part)) <= 64 for value in device["attributes"].values() for part in value.values())
        assert all(len(value) == 1 for value in device["attributes"].values())


@pytest.mark.parametrize("board", BOARDS)
def test_devices_are_called_like_their_minor_in_the_drivers_order(board):
    assert [device["name"] for device in devices("n", board)] == [f"gpu-{at}" for at in range(len(board.seats))]


@pytest.mark.parametrize("board", BOARDS)
def test_one_slice_is_the_whole_pool_of_its_node(board):
    spec = node_slice("h100-7", board)["spec"]
    assert (spec["driver"], spec["nodeName"]) == ("gpu.nvidia.com", "h100-7")
    assert spec["pool"] == {"name": "h100-7", "generation": 1, "resourceSliceCount": 1}


@pytest.mark.parametrize("board", BOARDS)
def test_versions_have_three_numbers_without_leading_zeros(board):
    """580.105.08 of NVML is 580.105.8 in a slice; a version attribute would be refused otherwise."""
    for device in devices("node-0", board):
        versions = [value["version"] for value in device["attributes"].values() if "version" in value]
        numbers = [version.split(".") for version in versions]
        assert all(len(parts) == 3 and all(str(int(part)) == part for part in parts) for parts in numbers)


@pytest.mark.parametrize("board", BOARDS)
def test_no_two_devices_share_a_place_on_pcie(board):
    addresses = [device["attributes"][f"{STANDARD}/pciBusID"]["string"] for device in devices("node-0", board)]
    assert len(set(addresses)) == len(addresses)


def test_the_same_node_looks_the_same_each_time():
    board = boards.board("hgx-h100")
    assert node_slice("h100-0", board) == node_slice("h100-0", board)


def test_uuids_differ_over_nodes_and_devices():
    nodes = [f"{pool}-{number}" for pool in ("a", "a-1", "b") for number in range(20)]
    found = {gpu_uuid(node, minor) for node in nodes for minor in range(8)}
    assert len(found) == len(nodes) * 8


@given(st.from_regex(r"[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?", fullmatch=True), st.integers(0, 127))
@settings(max_examples=50)
def test_a_uuid_is_stable_and_reads_like_nvidias(node, minor):
    uuid = gpu_uuid(node, minor)
    assert uuid == gpu_uuid(node, minor)
    assert [len(part) for part in uuid.split("-")] == [3, 8, 4, 4, 4, 12]
    assert uuid.startswith("GPU-")
