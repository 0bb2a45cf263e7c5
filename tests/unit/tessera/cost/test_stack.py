"""The cost of a stack: sums that say what they leave out."""

import json
import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.cost.plain import plain
from tessera.cost.stack import stack_cost
from tessera.cost.total import total
from tessera.hardware import boards, instances
from tessera.spec.stack import Cluster, Pool, Stack, stack

REGIONS = st.sampled_from(["us-east-1", "mars-north-1", None])
CAPACITIES = st.sampled_from(["on-demand", "spot", {"block": "cr-0123456789"}, {"reservation": "cr-0123456789"}])
POOLS = st.lists(
    st.fixed_dictionaries(
        {"instance": st.sampled_from(instances.names()), "size": st.integers(0, 5000), "capacity": CAPACITIES}
    ),
    max_size=6,
)


def eks(*pools):
    rows = [Pool.model_validate({"name": f"p{at}", "os": "amazonlinux-2023", **pool}) for at, pool in enumerate(pools)]
    return Stack(cluster=Cluster(service="eks"), pools=tuple(rows))


def amounts(cost):
    return [
        amount
        for pool in cost.pools
        for offer in pool.offers
        for amount in (offer.gpu_hour, offer.machine_hour, offer.hour, offer.month)
    ]


def test_a_sum_with_an_unknown_says_at_least_and_how_many():
    found = stack_cost(
        eks(
            {"instance": "p5.48xlarge", "size": 4},
            {"instance": "p5.48xlarge", "size": 4, "capacity": {"block": "cr-0123456789"}},
        ),
        "us-east-1",
    )
    assert found.hour.text(4) == "at least 220.16 USD, 1 pool unknown (p1)"
    assert found.month.text(2) == "at least 160716.80 USD, 1 pool unknown (p1)"
    assert [str(day) for day in found.days] == ["2026-07-20"]


def test_a_sum_of_known_prices_is_plain():
    found = stack_cost(eks({"instance": "p5.48xlarge", "size": 1}, {"instance": "g6.xlarge", "size": 2}), "us-east-1")
    assert (found.hour.text(4), found.hour.complete) == ("56.6496 USD", True)
    assert [str(day) for day in found.days] == ["2026-01-19", "2026-07-20"]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        pytest.param([], "nothing: no pools", id="no pools"),
        pytest.param([("a", "", None)], "unknown, 1 pool unknown (a)", id="unknown"),
        pytest.param([("a", "USD", Decimal(0)), ("b", "", None)], "unknown, 1 pool unknown (b)", id="0 and unknown"),
        pytest.param([("a", "USD", Decimal(0))], "0.00 USD", id="no nodes"),
        pytest.param([("a", "USD", Decimal(2)), ("b", "EUR", Decimal(1))], "1.00 EUR + 2.00 USD", id="currencies"),
        pytest.param(
            [(f"p{at}", "", None) for at in range(7)],
            "unknown, 7 pools unknown (p0, p1, p2, p3, p4, 2 more)",
            id="many unknown",
        ),
    ],
)
def test_a_total_reads(rows, text):
    assert total(rows).text(2) == text


@pytest.mark.parametrize("service", ["metal", "lab"])
def test_own_hardware_is_unknown_and_says_so(service):
    count = {"size": 1} if service == "lab" else {"hosts": [{"name": "n", "address": "10.0.0.1"}]}
    pool = {"name": "b", "board": "hgx-b200", "os": "ubuntu-24.04", **count}
    (found,) = stack_cost(stack({"cluster": {"service": service}, "pools": [pool]}), "us-east-1").pools
    assert (found.machine, found.gpus, found.chosen.capacity, found.chosen.why) == (
        "hgx-b200",
        len(boards.board("hgx-b200").seats),
        "own",
        "own hardware",
    )
    assert found.chosen.hour is None


def test_control_plane_hosts_without_a_board_have_no_gpus_and_no_price():
    host = {"name": "c", "address": "10.0.0.1", "role": "control-plane"}
    pools = [{"name": "c", "os": "debian-13", "hosts": [host]}]
    (found,) = stack_cost(stack({"cluster": {"service": "metal"}, "pools": pools}), None).pools
    assert (found.machine, found.nodes, found.gpus, found.chosen.gpu_hour) == (None, 1, 0, None)


@settings(deadline=None, max_examples=50)
@given(POOLS, REGIONS)
def test_unknown_is_never_0_and_known_is_above(pools, region):
    cost = stack_cost(eks(*pools), region)
    for pool in cost.pools:
        for offer in pool.offers:
            unknown = [amount is None for amount in (offer.gpu_hour, offer.machine_hour, offer.hour, offer.month)]
            assert unknown in ([True] * 4, [False] * 4)
            assert all(unknown) == bool(offer.why)
            assert all(unknown) or offer.machine_hour > 0
            assert all(unknown) or (offer.hour > 0) == (pool.nodes > 0)


@settings(deadline=None, max_examples=50)
@given(POOLS, REGIONS)
def test_the_sum_is_the_sum_of_the_pools(pools, region):
    cost = stack_cost(eks(*pools), region)
    known = [pool.chosen.hour for pool in cost.pools if pool.chosen.hour is not None]
    assert sum((amount for _, amount in cost.hour.known), Decimal(0)) == sum(known, Decimal(0))
    assert len(cost.hour.unknown) + len(known) == len(cost.pools) == cost.hour.pools
    assert dict(cost.month.known) == {currency: amount * 730 for currency, amount in cost.hour.known}
    assert ("at least" in cost.hour.text(4)) <= (not cost.hour.complete)


@settings(deadline=None, max_examples=50)
@given(POOLS, REGIONS, st.integers(2, 9))
def test_cost_is_linear_in_the_count_of_nodes(pools, region, times):
    once = stack_cost(eks(*pools), region)
    often = stack_cost(eks(*({**pool, "size": pool["size"] * times} for pool in pools if pool["size"] <= 500)), region)
    small = [pool for pool in once.pools if pool.nodes <= 500]
    for one, many in zip(small, often.pools, strict=True):
        expected = None if one.chosen.hour is None else one.chosen.hour * times
        assert many.chosen.hour == expected
        assert many.chosen.gpu_hour == one.chosen.gpu_hour


@settings(deadline=None, max_examples=50)
@given(POOLS, REGIONS)
def test_gpus_share_the_price_of_their_machine(pools, region):
    for pool in stack_cost(eks(*pools), region).pools:
        for offer in pool.offers:
            assert offer.gpu_hour is None or offer.gpu_hour * offer.gpus == offer.machine_hour


@settings(deadline=None, max_examples=50)
@given(POOLS, REGIONS)
def test_plain_values_hold_the_same_and_no_none(pools, region):
    cost = stack_cost(eks(*pools), region)
    values = plain(cost)
    assert json.loads(json.dumps(values)) == values
    assert "null" not in json.dumps(values)
    shown = [
        offer[key]
        for pool in values["pools"]
        for offer in pool["offers"]
        for key in ("gpu_hour", "machine_hour", "pool_hour", "pool_month")
    ]
    assert [None if text == "unknown" else Decimal(text) for text in shown] == amounts(cost)


def test_ten_thousand_pools_take_no_time():
    one = eks({"instance": "p5.48xlarge", "size": 1})
    start = time.process_time()
    stack_cost(one.model_copy(update={"pools": one.pools * 10_000}), "us-east-1")
    assert time.process_time() - start < 5
