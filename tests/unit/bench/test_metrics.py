"""The scheduler's text is read as it stands: counts of each bucket, nothing interpolated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.metrics import Histogram, counter, histogram, parse

TEXT = """# HELP took_seconds a histogram
# TYPE took_seconds histogram
took_seconds_bucket{result="scheduled",le="0.008"} 2
took_seconds_bucket{result="scheduled",le="0.016"} 5
took_seconds_bucket{result="scheduled",le="+Inf"} 6
took_seconds_sum{result="scheduled"} 0.5
took_seconds_bucket{result="error",le="0.008"} 1
took_seconds_bucket{result="error",le="0.016"} 1
took_seconds_bucket{result="error",le="+Inf"} 1
took_seconds_sum{result="error"} 0.001
tries_total{result="scheduled"} 6
tries_total{result="a \\"quoted\\" word"} 3
"""


def test_a_bucket_holds_only_its_own():
    found = histogram(parse(TEXT), "took_seconds", result="scheduled")
    assert found.buckets == {"0.008": 2, "0.016": 3, "+Inf": 1}
    assert (found.count, found.total_s) == (6, 0.5)


def test_without_labels_all_label_sets_are_summed():
    assert histogram(parse(TEXT), "took_seconds").buckets == {"0.008": 3, "0.016": 3, "+Inf": 1}


def test_counters_are_read_with_their_labels():
    samples = parse(TEXT, "tries_total")
    assert (counter(samples, "tries_total", result="scheduled"), counter(samples, "tries_total")) == (6, 9)
    assert 'a "quoted" word' in {sample.labels["result"] for sample in samples}


@pytest.mark.parametrize(("share", "bound"), [(0.3, "0.008"), (0.8, "0.016"), (0.99, "+Inf")])
def test_the_bound_is_one_of_the_histogram(share, bound):
    assert Histogram({"0.008": 2, "0.016": 3, "+Inf": 1}).bound_of(share) == bound


def test_of_nothing_there_is_no_share():
    assert Histogram().share_up_to(0.016) is None
    assert Histogram().document()["bucket_of_99_percent_s"] is None


@given(st.lists(st.integers(0, 50), min_size=3, max_size=3), st.lists(st.integers(0, 50), min_size=3, max_size=3))
def test_a_difference_has_what_came_on_top(before, more):
    bounds = ("0.008", "0.016", "+Inf")
    old = Histogram(dict(zip(bounds, before, strict=True)))
    new = Histogram({bound: a + b for bound, a, b in zip(bounds, before, more, strict=True)})
    assert list(new.since(old).buckets.values()) == more
