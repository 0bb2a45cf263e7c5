"""Room on nodes: what is free, and what of it a task could use."""

import pytest

from tessera.hardware.gpus import gpu
from tessera.hardware.mig import profile
from tests.bench.room import Room, fragmentation

HALF, QUARTER = (profile(gpu("h100-sxm-80"), name) for name in ("3g.40gb", "1g.20gb"))
FREE, FULL = frozenset(), frozenset(range(8))
WHOLE, TWO, SHARE, SMALL = (1, None), (2, None), (0, HALF), (0, QUARTER)


@pytest.mark.parametrize(
    ("room", "wish", "slices"),
    [
        pytest.param(Room((FREE, FULL)), WHOLE, 8, id="one-is-free"),
        pytest.param(Room((FREE, FULL)), TWO, 0, id="two-are-not"),
        pytest.param(Room((FREE, FREE)), TWO, 16, id="two-are"),
        pytest.param(Room((FREE, FULL)), SHARE, 8, id="share-takes-a-whole-one"),
        pytest.param(Room((FREE, FREE), cut=HALF), WHOLE, 0, id="cut-node-has-no-whole-one"),
        pytest.param(Room((frozenset(range(4)), FULL), cut=HALF), SHARE, 4, id="its-own-profile"),
        pytest.param(Room((FREE, FREE), cut=QUARTER), SHARE, 0, id="another-profile"),
        pytest.param(Room((frozenset({0, 1}), FULL), on_demand=True), SHARE, 6, id="half-beside-a-quarter"),
        pytest.param(Room((frozenset({0, 1, 4, 5}),), on_demand=True), SHARE, 0, id="no-place-for-half"),
        pytest.param(Room((frozenset({0, 1, 4, 5}),), on_demand=True), SMALL, 4, id="places-for-quarters"),
        pytest.param(Room((frozenset({0, 1}), FREE), on_demand=True), WHOLE, 8, id="only-untouched-ones"),
    ],
)
def test_what_a_wish_could_use(room, wish, slices):
    assert room.usable(wish) == slices
    assert room.usable(wish) <= room.free


def test_nothing_is_lost_on_full_nodes():
    assert fragmentation([Room((FULL, FULL))], {WHOLE: 1, SHARE: 1}) == 0


def test_what_no_task_can_use_is_lost_whole():
    assert fragmentation([Room((FREE, FULL))], {TWO: 3}) == 0.5


def test_the_loss_is_weighed_by_how_often_a_wish_occurs():
    assert fragmentation([Room((FREE, FULL))], {TWO: 1, WHOLE: 3}) == pytest.approx(0.125)
