"""What slices publish, and what is left of it while claims hold some."""

import pytest

from tessera.dra.slices import node_slices
from tessera.dra.stock import Holder, Stock
from tessera.hardware.boards import board

DRIVER = "gpu.nvidia.com"
HOLDER = Holder("light", "ai")


def stock(key="pcie-rtx-pro-6000", sharing="dynamic-mig"):
    return Stock(node_slices("n", board(key), sharing))


def parts_of(found, parent, profile="1g.24gb"):
    """Names of the MIG devices of a GPU that have a profile."""
    uuid = found.devices[DRIVER, "n", parent].text("uuid")
    rows = (row for row in found.devices.values() if row.text("parentUUID") == uuid)
    return [row.place[2] for row in rows if row.text("profile") == profile]


def free(found, *taken):
    """Names of the GPUs and MIG devices that are free while some are taken."""
    left = found.free({(DRIVER, "n", name): HOLDER for name in taken})
    return {row.place[2] for row in found.devices.values() if row.place[0] == DRIVER and left.has(row)}


def test_everything_is_free_while_nothing_is_taken():
    found = stock()
    assert free(found) == {row.place[2] for row in found.devices.values() if row.place[0] == DRIVER}


def test_a_taken_gpu_takes_its_parts_with_it_and_no_other():
    found = stock()
    left = free(found, "gpu-0")
    assert not left.intersection(parts_of(found, "gpu-0"))
    assert left.issuperset(parts_of(found, "gpu-1"))


def test_a_taken_part_takes_the_whole_gpu_and_leaves_room_for_other_parts():
    found = stock()
    first, *others = parts_of(found, "gpu-0")
    left = free(found, first)
    assert {"gpu-0", "gpu-1", first} & left == {"gpu-1"}
    assert left.issuperset(others)


def test_who_is_in_the_way_of_a_gpu_holds_a_part_of_it():
    found = stock()
    part, *_ = parts_of(found, "gpu-0")
    left = found.free({(DRIVER, "n", part): HOLDER})
    assert left.holders([found.devices[DRIVER, "n", "gpu-0"]]) == {HOLDER: 1}
    assert left.holders([found.devices[DRIVER, "n", "gpu-1"]]) == {}


def test_a_device_for_several_claims_stays_free():
    slices = node_slices("n", board("hgx-h100"), "dra")
    slices[0]["spec"]["devices"][0]["allowMultipleAllocations"] = True
    found = Stock(slices)
    assert {"gpu-0", "gpu-1"} - free(found, "gpu-0", "gpu-1") == {"gpu-1"}


def test_a_claim_on_a_device_that_is_gone_takes_nothing():
    found = stock("hgx-h100", "dra")
    assert len(free(found, "gpu-99")) == 8


@pytest.mark.parametrize(
    ("key", "sharing", "kinds"),
    [
        pytest.param("hgx-h100", "dra", 2, id="GPUs and cards of a board"),
        pytest.param("pcie-l40s", "dra", 1, id="GPUs alone"),
    ],
)
def test_devices_that_differ_in_their_identity_alone_are_of_one_kind(key, sharing, kinds):
    assert len(stock(key, sharing).kinds) == kinds


def test_a_device_may_name_its_node_where_the_slice_names_none():
    spec = {
        "driver": DRIVER,
        "pool": {"name": "shared"},
        "devices": [{"name": "gpu-0", "nodeName": "a"}, {"name": "gpu-1"}],
    }
    assert [row.node for row in Stock([{"spec": spec}]).devices.values()] == ["a", ""]
