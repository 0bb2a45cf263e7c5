"""Demand of the saturation bench: the same for the same seed, and shaped as its page says."""

from collections import Counter

import pytest

from tessera.hardware.boards import board
from tessera.hardware.gpus import gpu
from tests.bench.demand import FRACTIONS, JITTER, SIZES, demand, profile_of
from tests.bench.layout import best_layout

H100 = gpu("h100-sxm-80")


def test_a_seed_gives_the_same_queue_and_another_another():
    assert demand(3, 50) == demand(3, 50)
    assert demand(3, 50) != demand(4, 50)


@pytest.mark.parametrize("seed", range(5))
def test_a_longer_queue_begins_with_the_shorter_one(seed):
    short, long = demand(seed, 20), demand(seed, 60)
    assert long[: len(short)] == short


@pytest.mark.parametrize("gpus", [1, 33, 528])
def test_a_queue_needs_what_was_asked_and_not_a_task_more(gpus):
    tasks = demand(1, gpus)
    assert sum(task.milli for task in tasks) >= 1000 * gpus
    assert sum(task.milli for task in tasks[:-1]) < 1000 * gpus


def test_sizes_come_as_often_as_in_the_trace():
    tasks = demand(0, 20000)
    counts, total = Counter(task.gpus for task in tasks), sum(SIZES.values())
    for size, often in SIZES.items():
        assert abs(counts[size] / len(tasks) - often / total) < 0.01


def test_shares_lie_around_the_fractions():
    shares = [task.milli for task in demand(0, 500) if not task.gpus]
    assert all(any(abs(share - one) <= JITTER for one in FRACTIONS) for share in shares)


def test_a_share_gets_the_smallest_profile_that_holds_its_memory():
    for task in demand(0, 300):
        cut = profile_of(task, H100)
        if cut is not None:
            assert cut.memory_mib * 1000 >= task.milli * H100.memory_mib
        else:
            assert task.gpus or task.milli > 400, "only a large share needs a whole GPU"


def test_the_static_layout_has_every_node_once():
    assert sum(best_layout(board("hgx-h100"), 6, [70, 110]).values()) == 6


@pytest.mark.parametrize("largest", [1, 2, 4, 8])
def test_tasks_that_no_node_could_hold_are_left_out(largest):
    assert max(task.gpus for task in demand(0, 5000, largest)) == largest
