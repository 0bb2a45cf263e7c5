"""Importing: a result becomes two layers, one for the cluster and one for its GPU pools, and a list of what is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tessera.charts import known as charts
from tessera.errors import ProblemsError, TesseraError
from tessera.recipe.aicr import constraints, criteria
from tessera.recipe.aicr import order as orders
from tessera.recipe.aicr.constraints import Mapped
from tessera.recipe.aicr.result import Ref, Result, Rule, parse
from tessera.recipe.aicr.values import written
from tessera.recipe.conditions import WORDS, When
from tessera.recipe.layers import FOLDERS, Block, LayerFile, Scope
from tessera.recipe.writes import Origin, Write

LAYER = "imported/aicr"
BECAUSE = "the imported AICR recipe says so"


@dataclass(frozen=True)
class Left:
    """What could not be taken over. place: file and line; what: whose it is."""

    place: str
    what: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}: {self.text}"


@dataclass(frozen=True)
class Imported:
    """layers: with all that was taken over; left: all that was not; names: components, in their order."""

    file: str
    layers: tuple[LayerFile, ...]
    left: tuple[Left, ...]
    names: tuple[str, ...]


def read(path: Path, shown: str | None = None) -> Imported:
    """The import of a file, and of the values files beside it that it names. shown: how messages call the file.

    Raises TesseraError where it can't be read, ProblemsError with all that is wrong, file and line.
    """
    file = shown or str(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise TesseraError(f"{file}: can't be read ({error.strerror}); name a RecipeResult of `aicr recipe`") from error
    except UnicodeDecodeError as error:
        raise TesseraError(f"{file}: is not UTF-8, at byte {error.start}") from error
    return imported(parse(text, file), path.parent)


def imported(result: Result, folder: Path) -> Imported:
    """folder: where the values files are that the result names. Raises ProblemsError with all that is wrong."""
    gone = {one.name for one in result.refs if not _is_chart(one)}
    kept = [one for one in result.refs if one.name not in gone]
    after, problems = _after(result, gone)
    writes: list[Write] = []
    for one in kept:
        found, wrong = _component(one, result.file, folder, after[one.name])
        writes += found
        problems += wrong
    rules, left = _rules(result, {one.name for one in kept})
    if problems:
        raise ProblemsError(list(dict.fromkeys(problems)))
    told = (*_left(result, gone), *left)
    writes += [_write(("constraints", *path), value, where) for path, value, where, pool in rules if not pool]
    own = [
        replace(_write(("constraints", *path), value, where), pool=True) for path, value, where, pool in rules if pool
    ]
    source = Origin(LAYER, result.file, 1, BECAUSE)
    writes += [_write(("artifacts", "imported", key), value, source) for key, value in _said(result, told).items()]
    made = (_layer(LAYER, "cluster", {}, writes, result), _layer(f"{LAYER}-pools", "pool", _GPUS, own, result))
    running = {one.name for one in kept if one.runs}
    listed = [name for name, _ in result.order if name in running]
    return Imported(result.file, made, told, tuple(listed or [one.name for one in kept if one.runs]))


_GPUS: When = {"sharing": tuple(sorted(WORDS["sharing"]))}


def _is_chart(one: Ref) -> bool:
    return one.kind.lower() == "helm" and bool(one.chart)


def _layer(name: str, scope: Scope, when: When, writes: list[Write], result: Result) -> LayerFile:
    placed = tuple(replace(write, at=(len(FOLDERS), name, 0)) for write in writes)
    return LayerFile(name, result.file, scope, (Block(1, when, placed),), result.digest)


def _write(path: tuple[str, ...], value: Any, origin: Origin) -> Write:
    return Write(path, "set", value, origin)


def _said(result: Result, told: tuple[Left, ...]) -> dict[str, Any]:
    """What the resolved recipe keeps of where it is from, so that a lock holds it."""
    left = [f"{one.what}: {one.text}" for one in told]
    return {
        "from": Path(result.file).name,
        "sha256": result.digest,
        "made_by": f"aicr {result.version}".strip(),
        "left_out": left,
    }


def _after(result: Result, gone: set[str]) -> tuple[dict[str, set[str]], list[str]]:
    after = orders.bridged(result.refs, gone)
    runs = {one.name for one in result.refs if one.runs and one.name not in gone}
    running = {name: {one for one in befores if one in runs} for name, befores in after.items() if name in runs}
    lines = dict(result.order)
    wanted = [name for name, _ in result.order if name in runs]
    problems = [
        f"{result.file}:{lines[name]}: deploymentOrder: {name} stands before {before}, which it depends on; "
        "put it behind"
        for name, before in orders.too_early(running, wanted)
    ]
    return {**after, **(orders.kept(running, wanted) if wanted and not problems else running)}, problems


def _component(one: Ref, file: str, folder: Path, after: set[str]) -> tuple[list[Write], list[str]]:
    at = ("components", one.name)

    def origin(key: str) -> Origin:
        return Origin(LAYER, file, one.at(key), BECAUSE)

    problems = [
        f"{file}:{one.line}: {one.name}: has no {key}; pin it, or switch the component off (overrides.enabled: false)"
        for key, value in (("version", one.version), ("namespace", one.namespace))
        if one.runs and not value
    ]
    said = {"chart": one.chart, "version": one.version, "namespace": one.namespace, "repository": one.source}
    found = [
        _write((*at, key), value, origin({"repository": "source"}.get(key, key)))
        for key, value in said.items()
        if value
    ]
    found.append(_write((*at, "after"), sorted(after), origin("dependencyRefs")))
    if not one.runs:
        found.append(_write((*at, "enabled"), False, origin("overrides")))
        return found, problems
    values, wrong = written(one, file, folder, (*at, "values"), Origin(LAYER, file, one.line, BECAUSE))
    return found + values, problems + wrong


type _Said = tuple[tuple[str, ...], Any, Origin, bool]


def _rules(result: Result, names: set[str]) -> tuple[list[_Said], list[Left]]:
    """Paths below constraints with their values, and the constraints that are left."""
    found: list[_Said] = []
    left: list[Left] = []
    for name, (value, line) in result.criteria.items():
        one = criteria.mapped(name, value)
        where = Origin(LAYER, result.file, line, f"the imported recipe was made for {name} {value}")
        if isinstance(one, str):
            left.append(Left(where.place, f"criteria.{name}", one))
        elif one:
            found += _rule(f"{criteria.PREFIX}{name}", one, where, "error")
    for rule in result.rules:
        made, where = constraints.mapped(rule.name, rule.value, dict.fromkeys(names)), _origin(rule, result)
        if isinstance(made, str):
            left.append(Left(where.place, rule.name, f"constraint {rule.value!r}: {made}"))
            continue
        found += _rule(rule.name, made, where, rule.severity)
        if short := constraints.minor(made):
            found += _rule(rule.name + constraints.MINOR, short, where, rule.severity)
        if made.subject.startswith(constraints.MEASURED):
            left.append(Left(where.place, rule.name, "kept as a constraint, but no check here measures it yet"))
    return found, left


def _origin(rule: Rule, result: Result) -> Origin:
    return Origin(LAYER, result.file, rule.line, rule.remedy or BECAUSE)


def _rule(name: str, made: Mapped, where: Origin, severity: str) -> list[_Said]:
    said = {"subject": made.subject, made.operator: made.value, "severity": severity}
    return [((name, key), value, where, made.pool) for key, value in said.items()]


_MORE = {
    "manifestFiles": "objects beside the chart are not installed",
    "preManifestFiles": "objects ahead of the chart are not installed",
    "patches": "patches are not applied",
    "expectedResources": "no check here looks for these objects",
    "healthCheckAsserts": "no check here runs these assertions",
}


def _left(result: Result, gone: set[str]) -> Iterator[Left]:
    for key, line in result.more:
        yield Left(f"{result.file}:{line}", key, "is not read")
    for one in result.refs:
        if one.name in gone:
            kind = "only manifests, no chart" if one.kind.lower() == "helm" else f"type {one.kind}"
            yield Left(f"{result.file}:{one.line}", one.name, f"{kind}; not installed, and nothing waits for it")
            continue
        for key in one.more:
            yield Left(f"{result.file}:{one.at(key)}", f"{one.name}.{key}", _MORE.get(key, "is not read"))
        if one.runs and one.version not in charts.versions().get(one.chart, ()):
            said = f"chart {one.chart} {one.version} is not recorded here, so its values can't be checked"
            yield Left(f"{result.file}:{one.at('version')}", one.name, f"{said}; `tessera charts record`")
    for phase, names in result.checks.items():
        for name in names:
            yield Left(result.file, f"validation.{phase}", f"check {name} is AICR's own and is not run here")
