"""Criteria: what a recipe was resolved for, as constraints that a stack must keep."""

from __future__ import annotations

from collections.abc import Mapping

from tessera.hardware import gpus
from tessera.recipe.aicr.constraints import Mapped
from tessera.recipe.conditions import WORDS

PREFIX = "criteria."
ANY = ("any", "")

_CLUSTER = {"service": "service", "intent": "intent", "platform": "framework"}


def mapped(name: str, value: str) -> Mapped | str | None:
    """Our form; None where it says nothing; else why there is none."""
    if value in ANY:
        return None
    if name in _CLUSTER:
        ours = _CLUSTER[name]
        known = sorted(WORDS[ours])
        found: Mapped | None = Mapped(f"cluster.{ours}", "equals", value) if value in known else None
    elif name == "accelerator":
        known = list(gpus.accelerators())
        found = Mapped("pool.accelerator", "equals", value, pool=True) if value in known else None
    elif name == "os":
        known = sorted({one.partition("-")[0] for one in WORDS["os"]})
        systems = [one for one in sorted(WORDS["os"]) if one.partition("-")[0] == value]
        found = Mapped("pool.os", "one of", systems, pool=True) if systems else None
    else:
        return "no criterion of ours"
    return found or f"{value!r} is none of ours; known: {', '.join(known)}"


def written(rule: Mapping[str, object]) -> str:
    """The value of a criterion that became a rule."""
    value = rule.get("equals", rule.get("one of"))
    return value[0].partition("-")[0] if isinstance(value, list) else str(value)
