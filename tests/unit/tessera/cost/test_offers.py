"""Offers: list prices of a pool's machines, and the word unknown."""

from datetime import date
from decimal import Decimal

import pytest

from tessera.cost.offers import LISTED_AS, OWN, offers
from tessera.hardware.prices import price
from tessera.spec.capacity import CapacityFrom
from tessera.spec.stack import Pool

BLOCK = {"block": "cr-0123456789abcdef0"}
RESERVATION = {"reservation": "cr-0123456789abcdef0"}


def pool(instance="p5.48xlarge", size=4, capacity="on-demand"):
    return Pool.model_validate(
        {"name": "p", "instance": instance, "os": "amazonlinux-2023", "size": size, "capacity": capacity}
    )


def offered(region="us-east-1", **of):
    return {offer.capacity: offer for offer in offers(pool(**of), of.get("instance", "p5.48xlarge"), region)}


def test_on_demand_per_gpu_machine_pool_and_month():
    found = offered()["on-demand"]
    assert (found.gpu_hour, found.machine_hour, found.hour) == (Decimal("6.88"), Decimal("55.04"), Decimal("220.16"))
    assert found.month == Decimal("220.16") * 730
    assert (found.price.currency, found.price.region, found.price.day) == ("USD", "us-east-1", date(2026, 7, 20))


@pytest.mark.parametrize(
    ("capacity", "chosen"),
    [
        pytest.param("on-demand", "on-demand", id="on demand"),
        pytest.param(RESERVATION, "reservation", id="reservation"),
        pytest.param(BLOCK, "block", id="block"),
        pytest.param("spot", "spot", id="spot"),
    ],
)
def test_the_one_that_the_stack_file_asks_for_is_chosen(capacity, chosen):
    found = offered(capacity=capacity)
    assert [kind for kind, offer in found.items() if offer.chosen] == [chosen]


def test_on_demand_and_reserved_are_compared_and_spot_only_where_asked_for():
    assert list(offered()) == ["on-demand", "reservation", "block"]
    assert list(offered(capacity="spot")) == ["on-demand", "reservation", "block", "spot"]


def test_what_an_instance_cannot_be_had_as_is_no_offer():
    assert list(offered(instance="g6e.12xlarge")) == ["on-demand", "reservation"]
    assert list(offered(instance="p6e-gb200.36xlarge", capacity=BLOCK)) == ["block"]


def test_a_reservation_costs_as_much_as_on_demand():
    found = offered()
    assert found["reservation"].hour == found["on-demand"].hour


@pytest.mark.parametrize(
    ("of", "why"),
    [
        pytest.param(
            {"capacity": BLOCK},
            "the capacity-block list of us-east-1, 2026-11-30, has no amount for p5.48xlarge",
            id="block",
        ),
        pytest.param(
            {"instance": "p5e.48xlarge"},
            "the on-demand list of us-east-1, 2026-07-20, has no amount for p5e.48xlarge",
            id="listed as unknown",
        ),
        pytest.param({"capacity": "spot"}, "no list has spot prices of p5.48xlarge in us-east-1", id="spot"),
        pytest.param(
            {"region": "mars-north-1"}, "no list has on-demand prices of p5.48xlarge in mars-north-1", id="region"
        ),
        pytest.param({"region": None}, "no region is stated", id="no region"),
    ],
)
def test_an_unknown_price_says_why_and_is_no_number(of, why):
    (found,) = [offer for offer in offered(**of).values() if offer.chosen]
    assert found.why == why
    assert (found.gpu_hour, found.machine_hour, found.hour, found.month) == (None,) * 4


def test_an_unknown_price_of_no_nodes_stays_unknown():
    assert offered(size=0, capacity=BLOCK)["block"].hour is None


def test_every_capacity_of_the_stack_file_has_its_name_in_price_lists():
    assert set(LISTED_AS) == {"on-demand", "spot", *CapacityFrom.model_fields}
    assert OWN not in LISTED_AS
    assert price("p5.48xlarge", LISTED_AS["reservation"]).amount
