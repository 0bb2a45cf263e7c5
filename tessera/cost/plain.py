"""Cost as plain values: for a stack's outputs and for programs.

Amounts are text with all their digits, and the word unknown where nobody knows: a program that adds it up by mistake
fails, where null would count as 0.
"""

from __future__ import annotations

from typing import Any

from tessera.cost.money import CENTS, HOURLY, exact
from tessera.cost.offers import HOURS_PER_MONTH, Offer
from tessera.cost.stack import PoolCost, StackCost
from tessera.cost.total import Total
from tessera.hardware.rows import say


def plain(cost: StackCost) -> dict[str, Any]:
    """The cost as text, numbers, lists and mappings; no value is None. Amounts are per the unit that a key names."""
    return {
        "region": say(cost.region),
        "hours_per_month": HOURS_PER_MONTH,
        "dates": [str(day) for day in cost.days],
        "per_hour": _total(cost.hour, HOURLY),
        "per_month": _total(cost.month, CENTS),
        "pools": [_pool(pool) for pool in cost.pools],
    }


def _total(total: Total, places: int) -> dict[str, Any]:
    return {
        "text": total.text(places),
        "complete": total.complete,
        "known": {currency: exact(amount) for currency, amount in total.known},
        "unknown_pools": list(total.unknown),
    }


def _pool(pool: PoolCost) -> dict[str, Any]:
    return {
        "name": pool.name,
        "machine": pool.machine or "",
        "nodes": pool.nodes,
        "gpus": pool.gpus,
        "offers": [_offer(offer) for offer in pool.offers],
    }


def _offer(offer: Offer) -> dict[str, Any]:
    price = offer.price
    return {
        "capacity": offer.capacity,
        "chosen": offer.chosen,
        "gpu_hour": exact(offer.gpu_hour),
        "machine_hour": exact(offer.machine_hour),
        "pool_hour": exact(offer.hour),
        "pool_month": exact(offer.month),
        "currency": say(price and price.currency),
        "region": say(price and price.region),
        "date": say(price and price.day),
        "why": offer.why,
    }
