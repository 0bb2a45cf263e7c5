"""The linear program: its answer proves itself."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.mig.linear import cover

PATTERNS = st.lists(st.tuples(st.integers(0, 1), st.tuples(*[st.integers(0, 4)] * 3)), min_size=1, max_size=8)


@given(PATTERNS, st.tuples(*[st.integers(0, 60)] * 3), st.tuples(*[st.integers(0, 40)] * 2))
@settings(max_examples=300, deadline=None)
def test_the_amounts_cover_the_demand_and_their_sum_is_the_bound(patterns, demand, limits):
    """What covers, and costs no more than a bound below which nothing covers, is the optimum."""
    found = cover(patterns, demand, limits)
    if found is None:
        return
    for item in range(3):
        assert sum(x * counts[item] for x, (_, counts) in zip(found.amounts, patterns, strict=True)) >= demand[item]
    for group in range(2):
        assert sum(x for x, (mine, _) in zip(found.amounts, patterns, strict=True) if mine == group) <= limits[group]
    assert min((*found.amounts, *found.values, *found.rents)) >= 0
    for group, counts in patterns:
        assert sum(y * count for y, count in zip(found.values, counts, strict=True)) - found.rents[group] <= 1
    assert sum(found.amounts) == found.bound(demand, limits)


def test_parts_of_patterns_are_exact():
    found = cover([(0, (7, 0)), (0, (4, 1))], (10, 1), [5])
    assert found is not None
    assert found.amounts == (Fraction(6, 7), Fraction(1))


def test_what_nothing_covers_has_no_answer():
    assert cover([(0, (1, 0))], (1, 1), [9]) is None
    assert cover([(0, (1, 1))], (9, 9), [8]) is None
