"""Exporting: a resolved recipe that came from a result, in the form of a result again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tessera.errors import ProblemsError
from tessera.recipe.aicr import constraints, criteria
from tessera.recipe.aicr.imported import Imported
from tessera.recipe.aicr.result import KIND, VERSIONS
from tessera.recipe.components import components
from tessera.recipe.merge import Tree
from tessera.recipe.resolved import Component, ResolvedRecipe


def of_recipe(recipe: ResolvedRecipe) -> dict[str, Any]:
    """What a recipe runs, as a result. Rules of Tessera's own layers are no constraint of a result, and stay out."""
    named = {name: rule for pool in recipe.pools for name, rule in pool.constraints.items()} | dict(recipe.constraints)
    return exported(recipe.components, named)


def of_import(found: Imported) -> dict[str, Any]:
    """What was taken over, in one file: all values inline, and nothing beside it that it needs."""
    root = Tree(write for layer in found.layers for block in layer.blocks for write in block.writes).root
    problems: list[str] = []
    made = components(root.below["components"], found.names, problems)
    if problems:
        raise ProblemsError(problems)
    rules = root.below["constraints"].render() if "constraints" in root.below else {}
    return exported(made.running, rules)


def exported(running: Sequence[Component], named: Mapping[str, Any]) -> dict[str, Any]:
    """Components with their values inline, in their order, and the constraints that were imported. named: by name."""
    rules = {name: rule for name, rule in named.items() if _is_theirs(name, rule)}
    asked = {name: rule for name, rule in rules.items() if name.startswith(criteria.PREFIX)}
    found = [(constraints.written(name, rule), rule) for name, rule in rules.items() if name not in asked]
    return {
        "kind": KIND,
        "apiVersion": VERSIONS[0],
        "criteria": {name.removeprefix(criteria.PREFIX): criteria.written(rule) for name, rule in asked.items()},
        "constraints": [said for said, rule in found if not _phase(rule)],
        "componentRefs": [_ref(one) for one in running],
        "deploymentOrder": [one.name for one in running],
        "validation": {
            phase: {"constraints": [said for said, rule in found if _phase(rule) == phase]}
            for phase in ("deployment", "performance")
        },
    }


def _is_theirs(name: str, rule: Any) -> bool:
    """By name: ours have neither dots nor the words of a benchmark."""
    theirs = "." in name or rule["subject"].startswith(constraints.MEASURED)
    return theirs and not name.endswith(constraints.MINOR)


def _phase(rule: Any) -> str:
    subject = rule["subject"]
    if subject.startswith(constraints.MEASURED):
        return "performance"
    return "deployment" if subject.startswith("component.") or subject == "host.driver" else ""


def _ref(one: Component) -> dict[str, Any]:
    return {
        "name": one.name,
        "namespace": one.namespace,
        "chart": one.chart,
        "type": "Helm",
        "source": one.repository,
        "version": one.version,
        "overrides": dict(one.values),
        "dependencyRefs": list(one.after),
    }
