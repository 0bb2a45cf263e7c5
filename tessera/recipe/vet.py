"""Vetting: whether the values that layers and stacks set are what the charts of their components know.

Layers are vetted write by write, whatever they would resolve to; a recipe as a whole, with the charts' own refusals
and the rules of its security.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any

from tessera.charts import vet
from tessera.charts.known import FOLDER, Known, known
from tessera.errors import TesseraError
from tessera.recipe import paths
from tessera.recipe.conditions import When
from tessera.recipe.layers import LayerFile
from tessera.recipe.resolved import Component, ResolvedRecipe
from tessera.recipe.security.offers import recipes
from tessera.recipe.security.rules import security_problems
from tessera.recipe.writes import Write


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong. path: of the value; place: file and line; severity: error or warning.

    kind: as of a chart's Problem, `chart`, `unsafe` for a rule of security, `platform` for what a preview
    refuses besides, or `unresolved` for a whole recipe.
    """

    place: str
    path: str
    kind: str
    text: str
    severity: str = "error"

    def __str__(self) -> str:
        said = self.text if self.severity == "error" else f"{self.severity}: {self.text}"
        return ": ".join(part for part in (self.place, self.path, said) if part)


Said = tuple[Write, When]
"""A write and the condition of its block."""


def count(layers: Iterable[LayerFile]) -> tuple[int, int]:
    """How many components the layers name, and how many values of charts they set."""
    said = [write for layer in layers for block in layer.blocks for write in block.writes if _of(write)]
    return len({write.path[1] for write in said}), sum(_is_value(write) for write in said)


def of_layers(layers: Iterable[LayerFile], charts: File = FOLDER) -> list[Finding]:
    """What is wrong with any value that any layer sets for any version of a chart that may apply with it."""
    by_name: dict[str, list[Said]] = {}
    for layer in layers:
        for block in layer.blocks:
            for write in block.writes:
                if _of(write):
                    by_name.setdefault(write.path[1], []).append((write, block.when))
    found = [finding for name, said in by_name.items() for finding in _component(name, said, charts)]
    return list(dict.fromkeys(found))


def _of(write: Write) -> bool:
    return write.path[0] == "components" and len(write.path) > 1


def _is_value(write: Write) -> bool:
    return write.path[2:3] == ("values",) and len(write.path) > 3 and write.kind != "delete"


def _component(name: str, said: list[Said], charts: File) -> Iterator[Finding]:
    named = [(write, when) for write, when in said if write.path[2:] == ("chart",)]
    dated = [(write, when) for write, when in said if write.path[2:] == ("version",)]
    for chart, one in named:
        for version, other in dated:
            if not _meet(one, other):
                continue
            try:
                tree = known(str(chart.value), str(version.value), charts)
            except TesseraError as error:
                yield Finding(version.origin.place, f"components.{name}.version", "chart", str(error))
                continue
            for write, when in said:
                if _is_value(write) and _meet(when, one) and _meet(when, other):
                    yield from _write(write, tree)


def _meet(one: When, other: When) -> bool:
    """Whether two conditions may hold at once."""
    return all(set(values) & set(other[criterion]) for criterion, values in one.items() if criterion in other)


def _write(write: Write, tree: Known) -> Iterator[Finding]:
    value: Any = write.value
    for key in reversed(write.path[3:]):
        value = {key: value}
    for problem in vet.paths(value, tree):
        path = paths.text((*write.path[:3], *problem.path))
        yield Finding(write.origin.place, path, problem.kind, problem.text)


def of_recipe(recipe: ResolvedRecipe, charts: File = FOLDER) -> list[Finding]:
    """What is wrong with the merged values of a recipe's components, and what their charts refuse of them."""
    return [finding for component in recipe.components for finding in _of_component(component, recipe, charts)]


def _of_component(component: Component, recipe: ResolvedRecipe, charts: File) -> Iterator[Finding]:
    at = ("components", component.name)
    try:
        tree = known(component.chart, component.version, charts)
    except TesseraError as error:
        path = paths.text((*at, "version"))
        yield Finding(_place(path, recipe), path, "chart", str(error))
        return
    for problem in vet.problems(component, tree):
        path = paths.text((*at, "values", *problem.path))
        place = _place(path, recipe) or _place(paths.text((*at, "version")), recipe)
        yield Finding(place, path, problem.kind, problem.text)


def _place(path: str, recipe: ResolvedRecipe) -> str:
    """Where a value was set; of a mapping, where the first value below it was; else where what holds it was."""
    if path in recipe.provenance:
        return recipe.provenance[path].place
    below = (one for said, one in recipe.provenance.items() if said.startswith((f"{path}.", f"{path}[")))
    if found := next(below, None):
        return found.place
    keys = paths.parse(path)
    above = (recipe.provenance.get(paths.text(keys[:depth])) for depth in range(len(keys) - 1, 3, -1))
    return next((one.place for one in above if one), "")


def security(recipe: ResolvedRecipe) -> list[Finding]:
    """What the rules of security find in a recipe."""
    return [Finding(one.place, one.path, "unsafe", one.text, one.severity) for one in security_problems(recipe)]


def of_offers(layers: Sequence[LayerFile]) -> list[Finding]:
    """What is unsafe in recipes of what the layers offer, or why one can't be resolved."""
    found: list[Finding] = []
    try:
        for recipe in recipes(layers):
            found += security(recipe)
    except TesseraError as error:
        found.append(Finding("recipes/layers", "recipe", "unresolved", str(error)))
    return list(dict.fromkeys(found))


def as_json(findings: Iterable[Finding]) -> list[Mapping[str, str]]:
    """For programs."""
    return [vars(finding) for finding in findings]
