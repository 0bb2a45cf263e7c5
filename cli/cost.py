"""`tessera cost`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import Json, emit
from cli.stack_file import StackName, stack_file

if TYPE_CHECKING:
    from datetime import date

    from tessera.cost.offers import Offer
    from tessera.cost.stack import PoolCost, StackCost

COLUMNS = ("pool", "machine", "nodes", "GPUs", "capacity", "chosen", "GPU-hour", "machine-hour", "pool-hour", "month")


def cost(
    stack: StackName,
    region: Annotated[str | None, typer.Option(help="AWS region; without it, aws:region of the stack file.")] = None,
    json: Json = False,
) -> None:
    """Show what a stack's machines cost by dated list prices, on demand against reserved."""
    from tessera.cost.region import stated
    from tessera.cost.stack import stack_cost
    from tessera.spec.stack import read_file

    path = stack_file(stack)
    found = stack_cost(read_file(path), region or stated(path))
    if json:
        _print_json(found)
    else:
        _print_table(found)


def _print_json(found: StackCost) -> None:
    import json

    from tessera.cost.plain import plain

    print(json.dumps(plain(found), indent=2))


def _print_table(found: StackCost) -> None:
    from tessera.cost.money import CENTS, HOURLY
    from tessera.cost.offers import HOURS_PER_MONTH

    emit([_row(pool, offer) for pool in found.pools for offer in pool.offers], (*COLUMNS, "prices"), False, "no pools")
    of = f" (list prices of {found.region}, {_days(found.days)})" if found.days else ""
    print(f"\nper hour: {found.hour.text(HOURLY)}{of}")
    print(f"per month of {HOURS_PER_MONTH} hours: {found.month.text(CENTS)}{of}")
    print("List prices of the machines alone: no discount, storage, network, control plane or tax.")
    if found.region is None and any(pool.chosen.capacity != "own" for pool in found.pools):
        print("No region: write aws:region into the stack file, or add --region.")


def _days(days: tuple[date, ...]) -> str:
    return " to ".join(map(str, dict.fromkeys((days[0], days[-1]))))


def _row(pool: PoolCost, offer: Offer) -> dict[str, Any]:
    from tessera.cost.money import HOURLY, fixed

    return {
        "pool": pool.name,
        "machine": pool.machine,
        "nodes": pool.nodes,
        "GPUs": pool.gpus,
        "capacity": offer.capacity,
        "chosen": "yes" if offer.chosen else "",
        "GPU-hour": fixed(offer.gpu_hour, HOURLY),
        "machine-hour": fixed(offer.machine_hour, HOURLY),
        "pool-hour": fixed(offer.hour, HOURLY),
        "month": fixed(offer.month),
        "prices": _source(offer),
    }


def _source(offer: Offer) -> str:
    """Where the amounts of a row come from, or why there are none."""
    if offer.why or not offer.price:
        return f"unknown: {offer.why}"
    return f"{offer.price.currency}, {offer.price.region}, {offer.price.day}"
