"""Whole GPUs: identity and place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.gpu_devices import gpu_device, gpu_uuid, of_board, of_instance
from tessera.hardware import boards, machines


@pytest.mark.parametrize("key", boards.names())
def test_no_two_gpus_share_a_place_on_pcie(key):
    found = [gpu_device(one)["attributes"] for one in of_board("node-0", boards.board(key))]
    addresses = {attributes["resource.kubernetes.io/pciBusID"]["string"] for attributes in found}
    assert len(addresses) == len(found)


def test_a_gpu_of_an_instance_has_no_driver_version_and_no_place():
    attributes = gpu_device(of_instance(machines.machine("p5.48xlarge"))[3])["attributes"]
    assert attributes["productName"] == {"string": "NVIDIA H100 80GB HBM3"}
    assert not [name for name in attributes if "/" in name or "Version" in name]


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
