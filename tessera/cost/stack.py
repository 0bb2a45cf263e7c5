"""What a stack's machines cost, pool by pool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from tessera.cost.offers import Offer, offers, own
from tessera.cost.total import Total, total
from tessera.spec import machines
from tessera.spec.pool import Pool
from tessera.spec.stack import Stack


@dataclass(frozen=True)
class PoolCost:
    """One pool. machine: its instance type or board; None where it names none. offers: exactly one is chosen."""

    name: str
    machine: str | None
    nodes: int
    gpus: int
    offers: tuple[Offer, ...]

    @property
    def chosen(self) -> Offer:
        """The offer that the stack file asks for."""
        return next(offer for offer in self.offers if offer.chosen)


@dataclass(frozen=True)
class StackCost:
    """All pools, in the file's order. region: whose price lists were asked; None where nobody states one.

    Machines alone, at list price: no storage, network, control plane, support or tax, and no discount.
    """

    region: str | None
    pools: tuple[PoolCost, ...]

    @property
    def hour(self) -> Total:
        """The sum for one hour."""
        return self._sum(lambda offer: offer.hour)

    @property
    def month(self) -> Total:
        """The sum for a month of 730 hours."""
        return self._sum(lambda offer: offer.month)

    @property
    def days(self) -> tuple[date, ...]:
        """Dates of the lists that the sums rest on, oldest first."""
        prices = [pool.chosen.price for pool in self.pools if pool.chosen.hour is not None]
        return tuple(sorted({price.day for price in prices if price and price.day}))

    def _sum(self, amount: Callable[[Offer], Decimal | None]) -> Total:
        return total([(pool.name, _currency(pool.chosen), amount(pool.chosen)) for pool in self.pools])


def stack_cost(stack: Stack, region: str | None) -> StackCost:
    """The cost of a stack's machines. region: an AWS region; None leaves all prices unknown."""
    return StackCost(region, tuple(_pool(pool, region) for pool in stack.pools))


def _pool(pool: Pool, region: str | None) -> PoolCost:
    machine = machines.known(pool.board, pool.instance)
    gpus = machine.count if machine else 0
    found = offers(pool, pool.instance, region) if pool.instance else (own(pool, gpus),)
    return PoolCost(pool.name, pool.instance or pool.board, pool.size, pool.size * gpus, found)


def _currency(offer: Offer) -> str:
    return offer.price.currency if offer.price else ""
