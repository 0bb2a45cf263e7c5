"""All rules, held against one recipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tessera.recipe.resolved import ResolvedRecipe
from tessera.recipe.security import charts, gpu
from tessera.recipe.security.problem import Problem

RULES: tuple[Callable[[ResolvedRecipe], Iterator[Problem]], ...] = (
    gpu.host_floors,
    gpu.chart_floors,
    gpu.environment,
    gpu.two_drivers,
    charts.switches,
    charts.passwords,
    charts.moving_tags,
)


def security_problems(recipe: ResolvedRecipe) -> list[Problem]:
    """What is wrong, errors first; an error must refuse the stack."""
    said = [problem for rule in RULES for problem in rule(recipe)]
    return sorted(said, key=lambda one: one.severity != "error")
