"""The layout of static MIG follows its demand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera.hardware.boards import board
from tessera.hardware.gpus import gpu
from tests.bench.layout import TRAINING, best_layout, held, most


def test_training_seeds_are_none_of_those_that_are_measured():
    assert not set(TRAINING) & set(range(100))


@pytest.mark.parametrize(("profile", "count"), [("3g.40gb", 2), ("1g.20gb", 4), ("1g.10gb", 7), ("7g.80gb", 1)])
def test_a_gpu_is_cut_into_as_many_as_fit(profile, count):
    assert most(gpu("h100-sxm-80"), profile) == count


@pytest.mark.parametrize(("key", "nodes"), [("hgx-h100", 1), ("hgx-h100", 15), ("pcie-h100-nvl", 60)])
def test_every_node_has_one_layout(key, nodes):
    assert sum(best_layout(board(key), nodes, [70, 90, 110]).values()) == nodes


def test_in_a_crowd_whole_gpus_are_worth_more_than_shares():
    """Of a cut GPU some of each share is lost to rounding, so with too much demand fewer nodes are cut."""
    calm, crowded = (best_layout(board("pcie-h100-nvl"), 60, [percent]) for percent in (70, 140))
    assert calm["whole"] < crowded["whole"]


@given(st.integers(0, 40), st.dictionaries(st.sampled_from([230, 470, 810]), st.integers(1, 20)))
def test_no_more_shares_are_held_than_there_are_devices_and_tasks(room, counts):
    total = held(room, counts, whole=False)
    assert total <= sum(milli * count for milli, count in counts.items())
    assert total <= room * max(counts, default=0)
    assert held(room + 1, counts, whole=False) >= total


@pytest.mark.parametrize(("room", "total"), [(1, 0), (2, 2000), (5, 4000), (6, 6000)])
def test_a_task_of_two_gpus_takes_two(room, total):
    assert held(room, {2000: 3}, whole=True) == total
