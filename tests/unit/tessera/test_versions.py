"""Versions of software: which of two comes first, whatever they are written like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera.versions import before, numbers, rank

NUMBERS = st.lists(st.integers(0, 10**6), min_size=1, max_size=5)


def text(parts):
    return ".".join(map(str, parts))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        pytest.param("570.124.06", "570.133.20", id="drivers"),
        pytest.param("580.95.05", "580.126.20", id="numbers, not letters"),
        pytest.param("1.9", "1.10", id="ten is after nine"),
        pytest.param("v26.3.2", "26.7.0", id="with and without v"),
        pytest.param("1.36", "1.36.1", id="missing numbers are zeros"),
        pytest.param("7.3.0", "18.11.0", id="major"),
        pytest.param("6.8.0-45-generic", "6.11", id="kernels"),
        pytest.param("sha256:2f7", "0.0.1", id="a digest comes first"),
        pytest.param("latest", "0", id="a moving tag too"),
    ],
)
def test_one_comes_before_the_other(earlier, later):
    assert before(earlier, later)
    assert not before(later, earlier)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("570.124.06", "570.124.6", id="zeros in front"),
        pytest.param("1.36", "1.36.0", id="zeros behind"),
        pytest.param("v1.19.1-ubuntu24.04", "1.19.1", id="what is behind the numbers"),
        pytest.param("26.7.0-rc.1", "26.7.0", id="a pre-release counts as its release"),
        pytest.param("v1.0+cuda13", "1", id="build"),
    ],
)
def test_neither_comes_before_the_other(one, other):
    assert not before(one, other)
    assert not before(other, one)


@pytest.mark.parametrize("said", ["", "latest", "sha256:2f7", "v", ".5", "-1", "release-1.2"])
def test_a_text_without_numbers_in_front_has_none(said):
    assert numbers(said) == ()


@given(NUMBERS, NUMBERS, st.integers(0, 3))
def test_numbers_decide_as_numbers_do_whatever_zeros_are_left_out(one, other, zeros):
    longest = max(len(one), len(other))
    padded = [[*parts, *[0] * (longest - len(parts))] for parts in (one, other)]
    assert before(text([*one, *[0] * zeros]), f"v{text(other)}") == (padded[0] < padded[1])


@given(NUMBERS, st.text(alphabet="abc-+~.0", max_size=5).map(lambda more: f"-{more}"))
def test_what_is_behind_the_numbers_changes_nothing(parts, more):
    assert numbers(f"v{text(parts)}{more}") == tuple(parts)


@given(st.text(alphabet="v.0123-a", max_size=8), st.text(alphabet="v.0123-a", max_size=8))
def test_any_two_texts_have_one_order(one, other):
    assert before(one, other) + before(other, one) + (rank(one) == rank(other)) == 1
