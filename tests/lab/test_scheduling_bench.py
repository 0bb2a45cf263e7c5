"""The scheduling bench in small: what it counts is what the scheduler did."""

import pytest

from tests.bench.scheduling import run

pytestmark = pytest.mark.lab

PODS = 40


def test_counts_of_buckets_add_up_to_the_pods():
    found = run(["guarded", "by-pool"], 20, [PODS], ["burst"], 30)
    assert [row["arm"] for row in found["rows"]] == ["guarded", "by-pool"]
    for row in found["rows"]:
        assert sum(row["attempt"]["buckets"].values()) == row["attempts"]["scheduled"] == PODS
        assert sum(row["algorithm"]["buckets"].values()) >= PODS
        reached = row["algorithm"]["share_up_to_16ms"] >= 0.99
        assert row["verdict"] == ("reached" if reached else "not reached")
