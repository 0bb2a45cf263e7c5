"""Offers: the ways in which a pool's machines can be had, each with its list price."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tessera.hardware import instances
from tessera.hardware.prices import CAPACITY_BLOCK, ON_DEMAND, Price, price
from tessera.spec.pool import Pool

HOURS_PER_MONTH = 730
OWN = "own"
"""The capacity of machines in one's own racks, or of a lab."""

LISTED_AS = {"on-demand": ON_DEMAND, "reservation": ON_DEMAND, "block": CAPACITY_BLOCK, "spot": "spot"}
"""A pool's kinds of capacity, and what price lists call them.

Amazon bills a Capacity Reservation at the on-demand price, used or not.
"""

_COMPARED = ("on-demand", "reservation", "block")
"""Kinds that are shown for each pool, where its machine can be had so."""


@dataclass(frozen=True)
class Offer:
    """A pool's machines, had in one way. Amounts are list prices; None is unknown, and why says why.

    capacity: on-demand, reservation, block, spot or own. chosen: whether the stack file asks for this one.
    nodes: count in the pool; gpus: count in one node. price: None where no list could know it.
    """

    capacity: str
    chosen: bool
    nodes: int
    gpus: int
    price: Price | None
    why: str = ""

    @property
    def machine_hour(self) -> Decimal | None:
        """For one machine and hour."""
        return self.price.amount if self.price else None

    @property
    def gpu_hour(self) -> Decimal | None:
        """For one GPU and hour; None also where the machine has no GPU."""
        return self.price.per_gpu(self.gpus) if self.price and self.gpus else None

    @property
    def hour(self) -> Decimal | None:
        """For the whole pool and one hour."""
        return None if self.machine_hour is None else self.machine_hour * self.nodes

    @property
    def month(self) -> Decimal | None:
        """For the whole pool and a month of 730 hours."""
        return None if self.hour is None else self.hour * HOURS_PER_MONTH


def own(pool: Pool, gpus: int) -> Offer:
    """The one offer for machines that nobody sells by the hour."""
    return Offer(OWN, True, pool.size, gpus, None, "own hardware")


def offers(pool: Pool, instance: str, region: str | None) -> tuple[Offer, ...]:
    """On demand, reserved, and the way that the pool asks for, in this order. region: None where nobody states one."""
    found = instances.instance(instance)
    wanted = [kind for kind in LISTED_AS if kind in _COMPARED or kind == pool.capacity_kind]
    had = [kind for kind in wanted if LISTED_AS[kind] in found.usage or kind == pool.capacity_kind]
    return tuple(_offer(kind, pool, instance, found.count, region) for kind in had)


def _offer(kind: str, pool: Pool, instance: str, gpus: int, region: str | None) -> Offer:
    chosen = kind == pool.capacity_kind
    if region is None:
        return Offer(kind, chosen, pool.size, gpus, None, "no region is stated")
    listed = price(instance, LISTED_AS[kind], region)
    return Offer(kind, chosen, pool.size, gpus, listed, _why(listed))


def _why(listed: Price) -> str:
    """Why an amount is unknown."""
    if listed.amount is not None:
        return ""
    if listed.day is None:
        return f"no list has {listed.kind} prices of {listed.instance} in {listed.region}"
    return f"the {listed.kind} list of {listed.region}, {listed.day}, has no amount for {listed.instance}"
