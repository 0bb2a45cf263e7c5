"""Pools that their own machines can't be: unknown names, and asked for what the hardware lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tessera.spec import machines
from tessera.spec.problem import Path, Problem, unknown
from tessera.spec.rows import rows, text

_USAGE = {"on-demand": "on-demand", "spot": "spot", "block": "capacity-block", "reservation": "on-demand"}
"""What a way to buy is called in the table of instances."""


def problems(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Problems of pools against the hardware tables."""
    for at, pool in rows(values, "pools"):
        for path, said in _pool(pool):
            yield Problem(("pools", at, *path), said)


def _pool(pool: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    board, instance = text(pool, "board"), text(pool, "instance")
    if board and board not in machines.board_names():
        yield ("board",), unknown("board", board, machines.board_names())
    if instance and instance not in machines.instance_names():
        yield ("instance",), unknown("instance", instance, machines.instance_names())
    elif instance:
        yield from _instance(pool, instance)


def _instance(pool: Mapping[str, Any], instance: str) -> Iterator[tuple[Path, str]]:
    if pool.get("efa") is True and not machines.has_efa(instance):
        yield ("efa",), f"found true; instance {instance} has no EFA; allowed: false"
    wanted = pool.get("capacity", "on-demand")
    kind = next(iter(wanted), "") if isinstance(wanted, Mapping) else str(wanted)
    had = machines.usage(instance)
    if kind in _USAGE and _USAGE[kind] not in had:
        allowed = ", ".join(key for key, word in _USAGE.items() if word in had)
        yield ("capacity",), f"found {kind}; instance {instance} can't be had so; allowed: {allowed or 'unknown'}"
