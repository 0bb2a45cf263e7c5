"""The saturation bench in small: one seed, the same demand for every way to share, placed by the real scheduler."""

import pytest

from tests.bench.saturation import run

pytestmark = pytest.mark.lab


@pytest.fixture(scope="module")
def found():
    return run(4, [0], [110])


@pytest.fixture(scope="module")
def rows(found):
    return {row["arm"]: row for row in found["rows"]}


def test_every_arm_gets_the_same_demand(rows):
    assert len({(row["pods"], row["demand_gpus"]) for row in rows.values()}) == 1


def test_no_arm_gives_more_than_there_is_or_counts_need_that_it_did_not_meet(rows):
    for row in rows.values():
        assert 0 < row["requested"] <= row["allocated"] <= 1
        assert row["placed"] + row["never_placed"] == row["pods"]
        assert sum(row["pending_by_size"].values()) == row["never_placed"]


def test_cutting_gpus_on_demand_places_at_least_as_many_as_whole_ones(rows):
    assert rows["dra-mig"]["placed"] >= rows["dra-whole"]["placed"]


def test_the_claim_is_judged_in_a_sentence(found):
    assert found["verdict"].startswith("At 110 % demand plugin-whole allocates")
