"""Money as text: no digit too many, and nothing reads as free that is not."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.cost.money import exact, fixed

AMOUNTS = st.decimals(min_value="0.0000001", max_value=10**9, places=7)


@pytest.mark.parametrize(
    ("amount", "places", "text"),
    [
        pytest.param("6.88", 4, "6.88", id="cents"),
        pytest.param("2.74470525", 4, "2.7447", id="rounded"),
        pytest.param("0.00005", 4, "0.0001", id="half up"),
        pytest.param("160716.8", 2, "160716.80", id="filled up"),
        pytest.param("5", 4, "5.00", id="whole"),
        pytest.param("1E+3", 2, "1000.00", id="power of ten"),
        pytest.param("0.000001", 4, "0.000001", id="too small to round"),
        pytest.param("0", 2, "0.00", id="known to be nothing"),
    ],
)
def test_an_amount_reads(amount, places, text):
    assert fixed(Decimal(amount), places) == text


def test_unknown_is_a_word():
    assert (fixed(None), exact(None)) == ("unknown", "unknown")


@settings(deadline=None, max_examples=50)
@given(AMOUNTS)
def test_exact_text_is_the_amount(amount):
    assert Decimal(exact(amount)) == amount


@settings(deadline=None, max_examples=50)
@given(AMOUNTS, st.integers(2, 6))
def test_a_price_never_reads_as_0(amount, places):
    assert Decimal(fixed(amount, places)) > 0
