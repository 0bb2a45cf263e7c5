"""A RecipeResult as its file says it: typed, each part with its line, what breaks its form told at once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from tessera import naming
from tessera.errors import ProblemsError
from tessera.recipe import marks
from tessera.recipe.marked import Marked

KIND = "RecipeResult"
VERSIONS = (
    "aicr.run/v1",
    "aicr.run/v1beta2",
    "aicr.run/v1alpha3",
    "aicr.run/v1alpha2",
    "aicr.nvidia.com/v1alpha1",
)
PHASES = ("readiness", "deployment", "performance", "conformance")

_TOP = ("apiVersion", "kind", "metadata", "criteria", "configuration", "constraints", "componentRefs")
_KNOWN = (*_TOP, "deploymentOrder", "validation")


@dataclass(frozen=True)
class Ref:
    """One of componentRefs. overrides: its values; gates (enabled, install) are taken out of them into `runs`.

    more: keys that nobody here reads, each with its line.
    """

    name: str
    line: int
    kind: str
    chart: str
    source: str
    version: str
    namespace: str
    values_file: str
    overrides: Marked
    depends: tuple[str, ...]
    runs: bool
    lines: dict[str, int] = field(default_factory=dict)
    more: tuple[str, ...] = ()

    def at(self, key: str) -> int:
        """The line of a key, or of the whole."""
        return self.lines.get(key, self.line)


@dataclass(frozen=True)
class Rule:
    """A constraint as it is written. phase: of validation; empty at the top."""

    name: str
    value: str
    line: int
    severity: str = "error"
    remedy: str = ""
    phase: str = ""


@dataclass(frozen=True)
class Result:
    """A whole file. checks: by phase; more: keys that nobody here reads, each with its line; digest: of its bytes."""

    file: str
    digest: str
    version: str
    criteria: dict[str, tuple[str, int]]
    rules: tuple[Rule, ...]
    refs: tuple[Ref, ...]
    order: tuple[tuple[str, int], ...]
    checks: dict[str, tuple[str, ...]]
    more: tuple[tuple[str, int], ...]


def parse(text: str, file: str) -> Result:
    """The result of a file's text. Raises ProblemsError with file, line and path of all that is wrong."""
    root, problems = marks.read(text, file)
    if problems:
        raise ProblemsError(problems)
    said = _Reader(file)
    found = _result(said, said.mapping(root, ""), hashlib.sha256(text.encode()).hexdigest())
    if said.problems:
        raise ProblemsError(list(dict.fromkeys(said.problems)))
    return found


class _Reader:
    """Takes values of the kind that is wanted, and keeps what is wrong."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[str] = []

    def wrong(self, line: int, path: str, what: str) -> None:
        self.problems.append(f"{self.file}:{line}: {path}: {what}" if path else f"{self.file}:{line}: {what}")

    def mapping(self, said: Marked | None, path: str) -> dict[str, Marked]:
        found: dict[str, Marked] = self._of(dict, "a mapping", said, path, {})
        return found

    def items(self, said: Marked | None, path: str) -> list[Marked]:
        found: list[Marked] = self._of(list, "a list", said, path, [])
        return found

    def text(self, tree: dict[str, Marked], key: str, path: str) -> str:
        wanted = "text, in quotes where it looks like a number"
        found: str = self._of(str, wanted, tree.get(key), f"{path}{key}", "")
        return found

    def texts(self, said: Marked | None, path: str) -> list[tuple[str, int]]:
        found = [(item.value, item.line, at) for at, item in enumerate(self.items(said, path))]
        for value, line, at in found:
            if not isinstance(value, str):
                self.wrong(line, f"{path}[{at}]", f"must be text; found {value!r}")
        return [(value, line) for value, line, _ in found if isinstance(value, str)]

    def _of(self, kind: type, named: str, said: Marked | None, path: str, empty: Any) -> Any:
        if said is None or said.value is None:
            return empty
        if not isinstance(said.value, kind):
            self.wrong(said.line, path or "the file", f"must be {named}; found {said.plain!r}")
            return empty
        return said.value


def _result(said: _Reader, tree: dict[str, Marked], digest: str) -> Result:
    _head(said, tree)
    validation = said.mapping(tree.get("validation"), "validation")
    phases = {name: said.mapping(validation.get(name), f"validation.{name}") for name in validation}
    rules = _rules(said, tree.get("constraints"), "constraints", "")
    for name, phase in phases.items():
        if name not in PHASES:
            said.wrong(validation[name].line, "validation", naming.unknown("phase", name, PHASES))
        rules += _rules(said, phase.get("constraints"), f"validation.{name}.constraints", name)
    refs = _refs(said, tree.get("componentRefs"))
    criteria = said.mapping(tree.get("criteria"), "criteria")
    return Result(
        file=said.file,
        digest=digest,
        version=said.text(said.mapping(tree.get("metadata"), "metadata"), "version", "metadata."),
        criteria={name: (str(value.plain), value.line) for name, value in criteria.items()},
        rules=tuple(rules),
        refs=refs,
        order=_order(said, tree.get("deploymentOrder"), refs),
        checks={
            name: tuple(one for one, _ in said.texts(phase.get("checks"), f"validation.{name}.checks"))
            for name, phase in phases.items()
        },
        more=tuple((key, value.line) for key, value in tree.items() if key not in _KNOWN or key == "configuration"),
    )


def _head(said: _Reader, tree: dict[str, Marked]) -> None:
    kind, version = said.text(tree, "kind", ""), said.text(tree, "apiVersion", "")
    if kind != KIND:
        what = f"found {kind or 'nothing'}, allowed: {KIND}"
        hint = "; an overlay is no result: `aicr recipe` makes one" if kind in ("RecipeMetadata", "RecipeMixin") else ""
        said.wrong(tree["kind"].line if "kind" in tree else 1, "kind", what + hint)
    if version not in VERSIONS:
        line = tree["apiVersion"].line if "apiVersion" in tree else 1
        said.wrong(line, "apiVersion", f"found {version or 'nothing'}, allowed: {', '.join(VERSIONS)}")
    if not (isinstance(refs := tree.get("componentRefs", Marked([], 1)).value, list) and refs) and kind == KIND:
        said.wrong(1, "componentRefs", "must be a list with at least one component")


def _rules(said: _Reader, rows: Marked | None, path: str, phase: str) -> list[Rule]:
    found = []
    for at, row in enumerate(said.items(rows, path)):
        here = f"{path}[{at}]"
        tree = said.mapping(row, here)
        name, value = said.text(tree, "name", f"{here}."), said.text(tree, "value", f"{here}.")
        severity = said.text(tree, "severity", f"{here}.") or "error"
        if not name or not value:
            said.wrong(row.line, here, "must have a name and a value")
        elif severity not in ("error", "warning"):
            said.wrong(tree["severity"].line, here, naming.unknown("severity", severity, ("error", "warning")))
        else:
            remedy = said.text(tree, "remediation", f"{here}.")
            found.append(Rule(name, value, row.line, severity, remedy, phase))
    return found


def _refs(said: _Reader, rows: Marked | None) -> tuple[Ref, ...]:
    found: dict[str, Ref] = {}
    for at, row in enumerate(said.items(rows, "componentRefs")):
        one = _ref(said, said.mapping(row, f"componentRefs[{at}]"), row.line, f"componentRefs[{at}]")
        if one.name in found:
            first = found[one.name].line
            said.wrong(
                row.line, f"componentRefs[{at}]", f"component {one.name!r} is there twice; first on line {first}"
            )
        elif one.name:
            found[one.name] = one
    for one in found.values():
        for name in one.depends:
            if name not in found:
                said.wrong(one.at("dependencyRefs"), one.name, naming.unknown("component", name, found))
    return tuple(found.values())


_READ = ("name", "type", "chart", "source", "version", "namespace", "valuesFile", "overrides", "dependencyRefs")


def _ref(said: _Reader, tree: dict[str, Marked], line: int, path: str) -> Ref:
    words = {key: said.text(tree, key, f"{path}.") for key in _READ[:7]}
    if not words["name"]:
        said.wrong(line, path, "must have a name")
    said.mapping(tree.get("overrides"), f"{path}.overrides")
    overrides = tree.get("overrides", Marked({}, line))
    values = overrides.value if isinstance(overrides.value, dict) else {}
    gates = [values[key].value for key in ("enabled", "install") if key in values]
    return Ref(
        name=words["name"],
        line=line,
        kind=words["type"] or "Helm",
        chart=words["chart"],
        source=words["source"],
        version=words["version"],
        namespace=words["namespace"],
        values_file=words["valuesFile"],
        overrides=Marked(
            {key: one for key, one in values.items() if key not in ("enabled", "install")}, overrides.line
        ),
        depends=tuple(name for name, _ in said.texts(tree.get("dependencyRefs"), f"{path}.dependencyRefs")),
        runs=False not in gates,
        lines={key: one.line for key, one in tree.items()},
        more=tuple(key for key, one in tree.items() if key not in _READ and one.plain not in ("", [], False, None)),
    )


def _order(said: _Reader, rows: Marked | None, refs: tuple[Ref, ...]) -> tuple[tuple[str, int], ...]:
    found = said.texts(rows, "deploymentOrder")
    known = [one.name for one in refs]
    for at, (name, line) in enumerate(found):
        if name not in known:
            said.wrong(line, f"deploymentOrder[{at}]", naming.unknown("component", name, known))
        elif name in [before for before, _ in found[:at]]:
            said.wrong(line, f"deploymentOrder[{at}]", f"component {name!r} stands twice")
    for one in refs if found else ():
        if one.runs and one.name not in [name for name, _ in found]:
            said.wrong(one.line, one.name, "is missing in deploymentOrder")
    return tuple(found)
