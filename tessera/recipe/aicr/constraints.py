"""Constraints of AICR in our form, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tessera.recipe.conditions import WORDS

MINOR = ".minor"
"""Behind the name of a rule that only restates a version's minor, which the stack file already decides."""

MEASURED = "measured."
"""Before the name of what only a benchmark can tell."""

KERNEL = "OS.sysctl./proc/sys/kernel/osrelease"

_OPERATORS = {">=": "at least", "<=": "at most", "==": "equals", "": "equals"}
_SIGNS = {"at least": ">= ", "at most": "<= ", "equals": "== "}
_BENCHMARKS = ("nccl-", "inference-")


@dataclass(frozen=True)
class Mapped:
    """A constraint in our form. pool: whether it is of the pools' machines."""

    subject: str
    operator: str
    value: Any
    pool: bool = False


def mapped(name: str, value: str, components: Mapping[str, Any]) -> Mapped | str:
    """Our form, or why there is none. components: by name, those that are installed."""
    sign, literal = _parts(value)
    if sign not in _OPERATORS:
        return f"operator {sign} has no counterpart; allowed: {', '.join(filter(None, _OPERATORS))} or an exact value"
    operator = _OPERATORS[sign]
    if name == "K8s.server.version":
        whole = len(literal.split(".")) > 2
        return Mapped("cluster.kubernetes_version" if whole else "cluster.kubernetes", operator, literal)
    if name in ("OS.release.ID", "OS.release.VERSION_ID"):
        return _system(name, operator, literal)
    if name == KERNEL:
        return Mapped("host.kernel", operator, literal, pool=True)
    return _deployed(name, operator, literal, components)


def _deployed(name: str, operator: str, literal: str, components: Mapping[str, Any]) -> Mapped | str:
    whose = re.fullmatch(r"(?:Deployment\.)?([a-z0-9-]+)\.version", name)
    if whose and whose[1] == "gpu-driver":
        return Mapped("host.driver", operator, literal, pool=True)
    if whose and whose[1] in components:
        return Mapped(f"component.{whose[1]}.version", operator, literal)
    if name.startswith(_BENCHMARKS):
        return Mapped(f"{MEASURED}{name}", operator, literal)
    return "nothing here reads it"


def _system(name: str, operator: str, literal: str) -> Mapped | str:
    """As systems that a pool may have: by the first half of their names, or by the second."""
    half = 0 if name.endswith(".ID") else 2
    found = [one for one in sorted(WORDS["os"]) if one.partition("-")[half] == literal]
    if operator != "equals" or not found:
        known = sorted({one.partition("-")[half] for one in WORDS["os"]})
        return f"no operating system of a pool fits; known: {', '.join(known)}"
    return Mapped("pool.os", "one of", found, pool=True)


def minor(rule: Mapped) -> Mapped | None:
    """What the stack file alone can tell of a rule on the API server's version with its patch."""
    if rule.subject != "cluster.kubernetes_version" or rule.operator != "at least":
        return None
    return Mapped("cluster.kubernetes", rule.operator, ".".join(rule.value.split(".")[:2]))


def written(name: str, rule: Mapping[str, Any]) -> dict[str, Any]:
    """A rule of ours that was theirs, in their form again."""
    operator = next(key for key in ("at least", "at most", "equals", "one of") if key in rule)
    value = rule[operator]
    if operator == "one of":
        said = value[0].partition("-")[0 if name.endswith(".ID") else 2]
    else:
        said = f"{_SIGNS[operator]}{value}"
    severity = {} if rule["severity"] == "error" else {"severity": rule["severity"]}
    return {"name": name, "value": said, **severity}


def _parts(value: str) -> tuple[str, str]:
    found = re.match(r"\s*(>=|<=|==|!=|>|<|!)?\s*(.*?)\s*$", value, re.DOTALL)
    return (found[1] or "", found[2]) if found else ("", value)
