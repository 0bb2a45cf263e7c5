"""What is known of a chart's version: its recorded key tree, and what people found out besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path as File
from typing import Any

import yaml

from tessera import data, naming
from tessera.charts import keys
from tessera.charts.keys import Path
from tessera.charts.refusals import Refusal
from tessera.charts.tree import Paths, Tree
from tessera.errors import TesseraError
from tessera.versions import rank

FOLDER = data.RECIPES / "charts"

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

NOTES = (
    "published",
    "appVersion",
    "packaged",
    "removed",
    "unread",
    "hidden",
    "renamed",
    "gone",
    "since",
    "types",
    "crdsAtRuntime",
    "refusals",
    "asks",
)
"""Keys of a chart's YAML file."""


@dataclass(frozen=True)
class Known:
    """A chart's version. published: where its packages are: `kind` (http, oci or folder) and `url`.

    renamed: by old path, the new one; gone: paths of earlier versions, of the one in `since` for example; types: by
    path, kinds that are taken though neither default nor schema says so; asks: what it asks of the cluster, which
    values alone can't tell.
    """

    tree: Tree
    published: Mapping[str, str] = field(default_factory=dict)
    refusals: tuple[Refusal, ...] = ()
    asks: tuple[str, ...] = ()
    renamed: Mapping[Path, Path] = field(default_factory=dict)
    gone: Paths = frozenset()
    since: str = ""
    types: Mapping[Path, str] = field(default_factory=dict)

    @cached_property
    def dead(self) -> Paths:
        """Paths that are there to be refused."""
        tree = self.tree
        return frozenset({*self.renamed, *self.gone, *tree.removed, *tree.never_read, *tree.unused_helpers_read})


def versions(folder: File = FOLDER) -> dict[str, list[str]]:
    """By chart, the recorded versions, the oldest first."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.json")):
        chart, _, version = path.stem.rpartition("-")
        while chart and not version.lstrip("v")[:1].isdigit():  # a pre-release has dashes of its own
            chart, _, more = chart.rpartition("-")
            version = f"{more}-{version}"
        found.setdefault(chart, []).append(version)
    return {chart: sorted(every, key=rank) for chart, every in found.items()}


@cache
def known(chart: str, version: str, folder: File = FOLDER) -> Known:
    """A recorded version of a chart. Raises TesseraError that names the recorded ones."""
    path = folder / f"{chart}-{version}.json"
    try:
        tree = Tree.read(path.read_text(encoding="utf-8"), f"recipes/charts/{path.name}")
    except OSError:
        raise TesseraError(_unrecorded(chart, version, versions(folder))) from None
    return with_notes(tree, _notes(path.with_suffix(".yaml")), f"recipes/charts/{path.stem}.yaml")


def _unrecorded(chart: str, version: str, recorded: Mapping[str, list[str]]) -> str:
    if chart not in recorded:
        return f"{naming.unknown('chart', chart, recorded)}; record it: tessera charts record"
    return (
        f"version {version!r} of chart {chart} is not recorded; recorded: {', '.join(recorded[chart])}; "
        "record it: tessera charts record"
    )


def _notes(path: File) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    said = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 - a safe loader
    return said if isinstance(said, dict) else {}


def with_notes(tree: Tree, notes: Mapping[str, Any], file: str) -> Known:
    """A tree with what a chart's YAML file adds. Raises TesseraError where the file says what nobody reads."""
    for key in notes:
        if key not in NOTES:
            raise TesseraError(f"{file}: {naming.unknown('key', key, NOTES)}")
    return Known(
        tree=_corrected(tree, notes),
        published=notes.get("published", {}),
        refusals=tuple(Refusal.read(one, file) for one in notes.get("refusals", ())),
        asks=tuple(notes.get("asks", ())),
        renamed={keys.split(old): keys.split(new) for old, new in notes.get("renamed", {}).items()},
        gone=_paths(notes, "gone"),
        since=notes.get("since", ""),
        types={keys.split(path): kind for path, kind in notes.get("types", {}).items()},
    )


def _corrected(tree: Tree, notes: Mapping[str, Any]) -> Tree:
    """A tree with what its package says otherwise than its source, and with what reading templates can't find."""
    packaged = {keys.split(path): value for path, value in notes.get("packaged", {}).items()}
    values = {path: replace(tree.values[path], default=value, length=0) for path, value in packaged.items()}
    removed, hidden = _paths(notes, "removed"), _paths(notes, "hidden")
    return replace(
        tree,
        app_version=notes.get("appVersion", tree.app_version),
        values={**tree.values, **values},
        removed=tree.removed | removed,
        template_only=(tree.template_only | hidden) - removed,
        never_read=tree.never_read | _paths(notes, "unread"),
        crds_at_runtime=tuple(notes.get("crdsAtRuntime", tree.crds_at_runtime)),
    )


def _paths(notes: Mapping[str, Any], key: str) -> Paths:
    return frozenset(map(keys.split, notes.get(key, ())))
