"""Facts of charts that neither their values nor their manifests tell, from recipes/platform.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tessera import data, naming
from tessera.errors import ProblemsError

FILE = "platform.yaml"
LEVELS = ("restricted", "baseline", "privileged")
"""Pod Security levels, each allowing more than the one before."""

_KEYS = ("podSecurity", "because", "timeoutSeconds", "kinds", "images", "runtime")


@dataclass(frozen=True)
class Facts:
    """pod_security: what the chart's pods need; timeout_s: seconds until all of it must be ready.

    kinds: group/Kind of objects that must go before the release does, besides those of the CRDs in its files.
    images: value paths of its images where they are not those that its key tree names.
    runtime: whether its pods run under NVIDIA's container runtime.
    """

    pod_security: str = "baseline"
    timeout_s: int = 300
    kinds: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    runtime: bool = False


@cache
def facts(chart: str) -> Facts:
    """What is known of a chart; the defaults for one that the file doesn't name."""
    return _table().get(chart, Facts())


@cache
def _table() -> Mapping[str, Facts]:
    return read(data.load(FILE)["charts"])


def read(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Facts]:
    """By chart. Raises ProblemsError where a row says what nobody reads, or a level that there isn't."""
    problems = [f"recipes/{FILE}: charts.{chart}: {wrong}" for chart, row in rows.items() for wrong in _wrong(row)]
    if problems:
        raise ProblemsError(problems)
    return {chart: _facts(row) for chart, row in rows.items()}


def _wrong(row: Mapping[str, Any]) -> list[str]:
    found = [naming.unknown("key", key, _KEYS) for key in row if key not in _KEYS]
    level = row.get("podSecurity")
    if level is not None and level not in LEVELS:
        found.append(naming.unknown("Pod Security level", str(level), LEVELS))
    return found


def _facts(row: Mapping[str, Any]) -> Facts:
    plain = Facts()
    return Facts(
        pod_security=row.get("podSecurity", plain.pod_security),
        timeout_s=row.get("timeoutSeconds", plain.timeout_s),
        kinds=tuple(row.get("kinds", ())),
        images=tuple(row.get("images", ())),
        runtime=row.get("runtime", plain.runtime),
    )
