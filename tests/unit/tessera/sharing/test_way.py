"""A way to share as plain values."""

import pytest

from tessera.sharing.way import Part, Way, of_row
from tests.unit.tessera.sharing.made import ARTICLE


@pytest.mark.parametrize(
    "way", [Way(), Way("mps", replicas=4), Way("mig", {"1g.10gb": 7}), ARTICLE], ids=["claims", "mps", "mig", "article"]
)
def test_a_way_survives_being_written_as_a_row(way):
    assert of_row(way.row()) == way


def test_what_a_row_leaves_out_is_the_default():
    assert of_row({}) == Way("dra")


@pytest.mark.parametrize("row", [{"layout": {"gpus": [0]}}, {"layout": [{}]}, {"replicas": "x"}, {"slices": [1]}])
def test_a_row_of_another_form_is_refused(row):
    with pytest.raises((TypeError, ValueError, KeyError, AttributeError)):
        of_row(row)


def test_gpus_that_no_row_names_stay_whole():
    assert Way("mig", {}, (Part((1,), {"1g.24gb": 4}),)).by_gpu(3) == ({}, {"1g.24gb": 4}, {})


@pytest.mark.parametrize(
    ("way", "scheme"),
    [
        (Way("none"), ""),
        (Way("mps", replicas=2), "mps"),
        (Way("time-slicing", replicas=2), "time-slicing"),
        (Way("mig", {"1g.24gb": 4}), ""),
        (Way("mig", {"1g.24gb": 4}, slices={"1g.24gb": 2}), "time-slicing"),
        (ARTICLE, "time-slicing"),
    ],
    ids=["whole", "mps", "turns", "mig", "turns on slices", "article"],
)
def test_turns_on_mig_devices_are_time_slicing(way, scheme):
    assert way.scheme == scheme
