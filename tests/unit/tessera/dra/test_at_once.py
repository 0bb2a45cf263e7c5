"""At once: as many devices as the counters of a node allow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.at_once import at_once
from tessera.dra.slices import Offered, offer
from tessera.hardware import mig
from tessera.hardware.machines import machine

CUT = ("hgx-h100", "hgx-h200", "hgx-b200", "gb200-nvl72-tray", "pcie-rtx-pro-6000")


def of_profile(board, profile):
    node = offer(machine(board), "dynamic-mig")
    found = [one for one in node if one.device["attributes"].get("profile", {}).get("string") == profile]
    return at_once(found, node)


def test_whole_gpus_share_nothing():
    node = offer(machine("pcie-l40s"), "dra")
    assert at_once(node, node) == 8


@pytest.mark.parametrize("board", CUT)
def test_so_many_of_each_profile_as_the_gpu_has_places_for(board):
    found = machine(board)
    for one in mig.profiles(found.gpu):
        assert of_profile(board, one.name) == found.count * one.limit, one.name


def test_a_mixture_is_packed_by_the_smallest_first():
    """Half an H100 and less: seven slices of a seventh, not two halves."""
    node = offer(machine("hgx-h100"), "dynamic-mig")
    found = [one for one in node if "profile" in one.device["attributes"]]
    assert at_once(found, node) == 8 * 7


SLICES = st.integers(1, 4).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, 2).map(lambda at: 2 * at)))


def taking(name, size, start):
    counters = {f"memory-slice-{at}": {"value": "1"} for at in range(start, min(start + size, 8))}
    return Offered("d", {"name": name, "consumesCounters": [{"counterSet": "s", "counters": counters}]})


@given(st.lists(SLICES, min_size=1, max_size=6))
@settings(max_examples=100)
def test_what_is_counted_really_fits_together(rows):
    """No more than the set holds, and no fewer than one."""
    whole = taking("whole", 8, 0)
    found = [taking(str(at), size, start) for at, (size, start) in enumerate(rows)]
    assert 1 <= at_once(found, [whole, *found]) <= min(len(rows), 8 // min(size for size, _ in rows))
