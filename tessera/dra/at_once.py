"""At once: how many of some devices a node can give out together, where they share counters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from tessera.dra import quantity
from tessera.dra.slices import Offered

type Set = tuple[str, str]
"""Driver and name of a set of counters: one GPU's."""

type Takes = tuple[tuple[str, int], ...]
"""What a device takes of its set, by counter."""


def at_once(wanted: Iterable[Offered], node: Sequence[Offered]) -> int:
    """The most of the wanted devices that a node can hand out together; MIG devices of one GPU share its counters.

    node: all devices of it. A set holds what the largest of its devices takes, for the whole GPU takes everything.
    """
    alone, taking = _apart(wanted)
    _, everything = _apart(node)
    return alone + sum(_packed(tuple(takes), _limits(everything[name])) for name, takes in taking.items())


def _apart(found: Iterable[Offered]) -> tuple[int, Mapping[Set, list[Takes]]]:
    """Count of the devices that share nothing, and what the others take, by set."""
    alone, taking = 0, dict[Set, list[Takes]]()
    for one in found:
        rows = one.device.get("consumesCounters", ())
        alone += not rows
        for row in rows:
            amounts = ((name, _amount(value["value"])) for name, value in row["counters"].items())
            taking.setdefault((one.driver, row["counterSet"]), []).append(tuple(amounts))
    return alone, taking


def _limits(every: Iterable[Takes]) -> Takes:
    most: dict[str, int] = {}
    for takes in every:
        for name, amount in takes:
            most[name] = max(most.get(name, 0), amount)
    return tuple(most.items())


@cache
def _packed(wanted: tuple[Takes, ...], limits: Takes) -> int:
    """How many fit into one set, small ones first; equal GPUs are packed once."""
    whole, left, count = dict(limits), dict(limits), 0
    for takes in sorted(wanted, key=lambda one: sum(amount / whole[name] for name, amount in one if amount)):
        if all(amount <= left[name] for name, amount in takes):
            count += 1
            for name, amount in takes:
                left[name] -= amount
    return count


@cache
def _amount(text: str) -> int:
    return int(quantity.parse(text))
