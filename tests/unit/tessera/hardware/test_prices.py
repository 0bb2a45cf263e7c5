"""Prices: dated, exact, and never 0."""

from datetime import date
from decimal import Decimal

import pytest

from tessera.errors import TesseraError
from tessera.hardware import instances, prices
from tessera.hardware.rows import Row


@pytest.mark.parametrize("key", instances.names())
def test_a_price_is_above_0_or_unknown(key):
    for kind in (prices.ON_DEMAND, prices.CAPACITY_BLOCK):
        found = prices.price(key, kind)
        assert found.amount is None or (found.amount > 0 and found.day and found.source)


def test_a_known_price_says_what_it_is_and_since_when():
    found = prices.price("p5.48xlarge")
    assert str(found) == "55.04 USD per instance-hour (on-demand, us-east-1, 2026-07-20)"
    assert found.per_gpu(8) == Decimal("6.88")


@pytest.mark.parametrize(
    ("key", "kind", "region"),
    [
        pytest.param("p5e.48xlarge", "on-demand", "us-east-1", id="listed as unknown"),
        pytest.param("p5.48xlarge", "capacity-block", "us-east-1", id="no dated list"),
        pytest.param("p5.48xlarge", "on-demand", "mars-north-1", id="a region without list"),
        pytest.param("g7.48xlarge", "on-demand", "us-east-1", id="in no list"),
    ],
)
def test_an_unknown_price_is_no_number(key, kind, region):
    found = prices.price(key, kind, region)
    assert (found.amount, found.per_gpu(8), str(found)) == (None, None, "unknown")


def test_every_list_names_instances_that_there_are():
    named = {found.instance for key in instances.names() for found in prices.prices(key)}
    assert {found.instance for found in prices._prices().values()} == named


@pytest.mark.parametrize("amount", ["0", "-1", "NaN", "Infinity", "", "cheap"])
def test_nonsense_is_no_amount(amount):
    listed = {"kind": "on-demand", "region": "r", "currency": "USD", "unit": "h", "amounts": {"p5.48xlarge": amount},
              "date": date(2026, 1, 1), "source": "s"}  # fmt: skip
    with pytest.raises(TesseraError, match=r"^prices\.amounts\.p5\.48xlarge: found .*allowed: a number above 0"):
        prices._listed(Row("prices", listed))
