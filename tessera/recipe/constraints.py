"""Constraints that the stack alone decides, evaluated as the recipe is resolved.

A subject `cluster.<criterion>`, `pool.<criterion>` or `component.<name>.version` is known then; others, such as
host.kernel, are for a check of what runs, and a criterion that the stack leaves open is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tessera.recipe.paths import text
from tessera.recipe.provenance import Provenance
from tessera.recipe.resolved import ResolvedRecipe
from tessera.versions import before


@dataclass(frozen=True)
class Violation:
    """A constraint that does not hold. severity: error or warning; text: where, what, and why it matters."""

    severity: str
    text: str


def violations(recipe: ResolvedRecipe) -> list[Violation]:
    """Every constraint that the stack's own criteria break; those of the cluster first, then pool by pool."""
    cluster = {f"cluster.{name}": value for name, value in recipe.criteria.items()}
    installed = {f"component.{one.name}.version": one.version for one in recipe.components}
    found = [*_broken(recipe.constraints, cluster | installed, (), "the cluster", recipe.provenance)]
    for pool in recipe.pools:
        known = cluster | {f"pool.{name}": value for name, value in pool.criteria.items()}
        found += _broken(pool.constraints, known, ("pools", pool.name), f"pool {pool.name!r}", recipe.provenance)
    return found


def _broken(
    constraints: Mapping[str, Mapping[str, Any]],
    known: Mapping[str, str],
    at: tuple[str, ...],
    whose: str,
    provenance: Mapping[str, Provenance],
) -> Iterator[Violation]:
    for name, rule in constraints.items():
        subject = rule["subject"]
        operator = next(key for key in _HOLDS if key in rule)
        if subject in known and not _HOLDS[operator](known[subject], rule[operator]):
            origin = provenance[text((*at, "constraints", name, operator))]
            allowed = ", ".join(rule[operator]) if isinstance(rule[operator], list) else rule[operator]
            said = f"{whose}: {subject} is {known[subject]}, and must be {operator} {allowed}: {origin.because}"
            yield Violation(rule["severity"], f"{said} ({origin.place})")


_HOLDS: Mapping[str, Callable[[str, Any], bool]] = {
    "at least": lambda found, bound: not before(found, str(bound)),
    "at most": lambda found, bound: not before(str(bound), found),
    "equals": lambda found, wanted: found == str(wanted),
    "one of": lambda found, wanted: found in wanted,
    "present": lambda _, wanted: bool(wanted),
}
