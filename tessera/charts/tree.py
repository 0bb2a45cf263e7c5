"""The key tree of one version of a chart: which values it knows, and what becomes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tessera.charts import keys
from tessera.charts.keys import Path
from tessera.errors import TesseraError

FORMAT = 1

ITEM = "(an item of the default)"
"""Stands for each item of a default list, and for a long text: how much there is is known, what it says isn't."""

Paths = frozenset[Path]


@dataclass(frozen=True, slots=True)
class Value:
    """A value that may be set. kind: kinds joined by `|`; origin: own, subchart or schema.

    default: a scalar; length: items of a default that is a list, or letters of a text too long to record; enum: what
    the schema allows, where it says so.
    """

    kind: str
    default: Any = None
    origin: str = "own"
    templated: bool = False
    length: int = 0
    enum: tuple[Any, ...] = ()

    @property
    def seen(self) -> Any:
        """The default as templates see it; ITEM for what is not recorded."""
        if self.length:
            return [ITEM] * self.length if self.kind == "list" else ITEM
        if self.kind == "list":
            return []
        return {} if self.kind == "map" and self.origin != "schema" else self.default

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Value:
        """From JSON."""
        return cls(
            kind=said["type"],
            default=said.get("default"),
            origin=said.get("from", "own"),
            templated=said.get("tpl", False),
            length=said.get("length", 0),
            enum=tuple(said.get("enum", ())),
        )

    def document(self) -> dict[str, Any]:
        """As JSON holds it: what is usual is left out."""
        said: dict[str, Any] = {"type": self.kind}
        if self.default is not None:
            said["default"] = self.default
        if self.origin != "own":
            said["from"] = self.origin
        if self.templated:
            said["tpl"] = True
        if self.length:
            said["length"] = self.length
        if self.enum:
            said["enum"] = list(self.enum)
        return said


@dataclass(frozen=True)
class Subchart:
    """A chart inside the chart. key: where its values stand; conditions: the first of these paths that exists rules."""

    name: str
    version: str
    key: str
    conditions: tuple[str, ...] = ()
    kind: str = "folder"
    recorded: bool = True

    def document(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {**vars(self), "conditions": list(self.conditions)}


@dataclass(frozen=True)
class Source:
    """Where a chart was recorded from. ref: tag or commit; date: of it; by: `command` or `facts`."""

    by: str
    repository: str = ""
    path: str = ""
    ref: str = ""
    date: str = ""


@dataclass(frozen=True)
class Refuses:
    """A place of a template that may refuse to render. kind: fail or required; reads: the values that it looks at."""

    kind: str
    file: str
    reads: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {"kind": self.kind, "file": self.file, "reads": list(self.reads)}


_LISTS = ("open", "passthrough", "template_only", "removed", "unused_helpers_read", "never_read", "strict")
_NAMES = ("images", "hooks", "crds", "crds_at_runtime")


@dataclass(frozen=True)
class Tree:
    """All that is recorded of a chart's version.

    open: anything may follow; passthrough: maps with defaults to which further keys may be added; template_only:
    read by templates, though values.yaml has no such key; removed: read only to refuse it; never_read: without any
    effect; unused_helpers_read: read only by helpers that nobody calls; strict: maps whose schema refuses other keys.
    """

    chart: str
    version: str
    source: Source
    app_version: str | None = None
    kube_version: str | None = None
    values: Mapping[Path, Value] = field(default_factory=dict)
    subcharts: tuple[Subchart, ...] = ()
    open: Paths = frozenset()
    passthrough: Paths = frozenset()
    template_only: Paths = frozenset()
    removed: Paths = frozenset()
    unused_helpers_read: Paths = frozenset()
    never_read: Paths = frozenset()
    strict: Paths = frozenset()
    refuses: tuple[Refuses, ...] = ()
    images: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    crds: tuple[str, ...] = ()
    crds_at_runtime: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Chart and version, as messages name them."""
        return f"{self.chart} {self.version}"

    @cached_property
    def known(self) -> Paths:
        """Every path that means something, whether it may be set or not."""
        conditions = {keys.split(path) for one in self.subcharts for path in one.conditions}
        return frozenset(
            {*self.values, *self.open, *self.passthrough, *self.template_only, *self.removed, *self.never_read}
            | {*self.unused_helpers_read, *conditions}
            | {(one.key,) for one in self.subcharts}
        )

    @cached_property
    def inner(self) -> Mapping[Path, frozenset[str]]:
        """By path of a map, the keys that are known below it; () is the top."""
        below: dict[Path, set[str]] = {(): set()}
        for path in self.known:
            for depth, key in enumerate(path):
                below.setdefault(path[:depth], set()).add(key)
        return {path: frozenset(found) for path, found in below.items()}

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """The defaults as one tree. Callers must not change it."""
        found: dict[str, Any] = {}
        for path in sorted(self.values, key=len):
            node: Any = found
            for key in path[:-1]:
                node = node.setdefault(key, {}) if isinstance(node, dict) else None
            if isinstance(node, dict):
                node.setdefault(path[-1], self.values[path].seen)
        return found

    def document(self) -> dict[str, Any]:
        """All of it, as JSON holds it."""
        said: dict[str, Any] = {
            "format": FORMAT,
            "chart": self.chart,
            "version": self.version,
            "appVersion": self.app_version,
            "kubeVersion": self.kube_version,
            "recorded": vars(self.source),
            "subcharts": [one.document() for one in self.subcharts],
            "values": {keys.join(path): self.values[path].document() for path in sorted(self.values)},
        }
        said |= {_camel(name): sorted(keys.join(path) for path in getattr(self, name)) for name in _LISTS}
        said["refuses"] = [one.document() for one in self.refuses]
        said |= {_camel(name): list(getattr(self, name)) for name in _NAMES}
        return {key: value for key, value in said.items() if value not in (None, [], {})}

    def text(self) -> str:
        """JSON, a line for each path and each item: its diff is the review."""
        return "{\n" + ",\n".join(_lines(self.document())) + "\n}\n"

    @classmethod
    def read(cls, text: str, file: str) -> Tree:
        """From the text of a file. Raises TesseraError where it is no key tree of ours."""
        try:
            said = json.loads(text)
            if said["format"] != FORMAT:
                raise TesseraError(
                    f"{file}: format: found {said['format']!r}, allowed: {FORMAT}; record the chart anew"
                )
            return cls._of(said)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise TesseraError(f"{file}: is no key tree ({error}); record the chart anew") from error

    @classmethod
    def _of(cls, said: Mapping[str, Any]) -> Tree:
        lists: dict[str, Any] = {name: frozenset(map(keys.split, said.get(_camel(name), ()))) for name in _LISTS}
        names: dict[str, Any] = {name: tuple(said.get(_camel(name), ())) for name in _NAMES}
        return cls(
            chart=said["chart"],
            version=said["version"],
            source=Source(**said["recorded"]),
            app_version=said.get("appVersion"),
            kube_version=said.get("kubeVersion"),
            values={keys.split(path): Value.read(one) for path, one in said.get("values", {}).items()},
            subcharts=tuple(
                Subchart(**{**one, "conditions": tuple(one["conditions"])}) for one in said.get("subcharts", ())
            ),
            refuses=tuple(Refuses(**{**one, "reads": tuple(one["reads"])}) for one in said.get("refuses", ())),
            **lists,
            **names,
        )


def _camel(name: str) -> str:
    first, *more = name.split("_")
    return first + "".join(part.capitalize() for part in more)


def _lines(said: Mapping[str, Any]) -> Iterator[str]:
    for key, value in said.items():
        if isinstance(value, dict) and key == "values":
            inner = ",\n".join(f"  {json.dumps(path)}: {json.dumps(one)}" for path, one in value.items())
            yield f' "{key}": {{\n{inner}\n }}'
        elif isinstance(value, list):
            inner = ",\n".join(f"  {json.dumps(one)}" for one in value)
            yield f' "{key}": [\n{inner}\n ]'
        else:
            yield f' "{key}": {json.dumps(value)}'
