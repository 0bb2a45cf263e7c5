"""Parts of a chart as it lies there: its files, what Chart.yaml says, and the charts that it holds or depends on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from tessera.charts import archive, helm_yaml
from tessera.charts.archive import Files
from tessera.charts.tree import Subchart
from tessera.errors import TesseraError

_READ = (".yaml", ".yml", ".tpl", ".txt", ".json")
_DEEPEST = 8
_MOST = 1_000_000
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


@dataclass(frozen=True)
class Chart:
    """A chart as it lies there: its files, what Chart.yaml says, and the charts inside."""

    files: Files
    about: Mapping[str, Any]
    inside: tuple[tuple[Subchart, Chart | None], ...]

    def texts(self, folder: str) -> dict[str, str]:
        """The files below a folder that are text, by path."""
        return {
            name: content.decode(errors="replace")
            for name, content in self.files.items()
            if name.startswith(folder) and name.lower().endswith(_READ)
        }


def chart(files: Files, others: tuple[Files, ...], depth: int = 0) -> Chart:
    """A chart and those inside. others: charts that it may depend on and does not hold itself.

    Raises TesseraError where Chart.yaml or an archive inside can't be read.
    """
    about = document(files, "Chart.yaml")
    if not about.get("name") or not about.get("version"):
        raise TesseraError("Chart.yaml: has no name or no version; this is no chart")
    for key in ("name", "version"):
        if not _WORD.fullmatch(str(about[key])):
            raise TesseraError(f"Chart.yaml: {key}: found {about[key]!r}, which names no chart")
    held = list(_packed(files))
    packed = [*held, *others]
    inside = []
    for said in _dependencies(files, about, held):
        found = _find(said, packed) if depth < _DEEPEST else None
        inside.append((_subchart(said, found is not None), chart(found, others, depth + 1) if found else None))
    return Chart(files, about, tuple(inside))


def _dependencies(files: Files, about: Mapping[str, Any], held: Iterable[Files]) -> list[Mapping[str, Any]]:
    """Those that the chart names, and those that it holds without naming them."""
    old = document(files, "requirements.yaml").get("dependencies") if "requirements.yaml" in files else None
    said = [one for one in about.get("dependencies") or old or [] if isinstance(one, Mapping) and one.get("name")]
    named = {str(one["name"]) for one in said}
    loose = {str(name) for one in held if (name := document(one, "Chart.yaml").get("name"))}
    return said + [{"name": name, "version": "0"} for name in sorted(loose - named)]


def _packed(files: Files) -> Iterator[Files]:
    for name in sorted(files):
        folder, _, rest = name.removeprefix("charts/").partition("/")
        if name.startswith("charts/") and rest == "Chart.yaml":
            prefix = f"charts/{folder}/"
            yield {path.removeprefix(prefix): content for path, content in files.items() if path.startswith(prefix)}
        elif name.startswith("charts/") and name.endswith(".tgz") and not rest:
            yield archive.unpacked(files[name], name)


def _find(said: Mapping[str, Any], packed: Iterable[Files]) -> Files | None:
    return next((one for one in packed if document(one, "Chart.yaml").get("name") == said["name"]), None)


def _subchart(said: Mapping[str, Any], recorded: bool) -> Subchart:
    repository = str(said.get("repository") or "")
    kind = next((kind for start, kind in (("oci:", "oci"), ("http", "http")) if repository.startswith(start)), "folder")
    conditions = tuple(part.strip() for part in str(said.get("condition") or "").split(",") if part.strip())
    name = str(said["name"])
    return Subchart(name, str(said.get("version", "")), str(said.get("alias") or name), conditions, kind, recorded)


def every(chart: Chart) -> Iterator[Chart]:
    """A chart and all that are inside."""
    yield chart
    for _, inner in chart.inside:
        if inner:
            yield from every(inner)


def document(files: Files, name: str) -> dict[str, Any]:
    """The mapping in a YAML file; empty where there is none. Raises TesseraError where it is no YAML, or endless."""
    if name not in files:
        return {}
    try:
        said = helm_yaml.load(files[name])
    except yaml.YAMLError as error:
        raise TesseraError(f"{name}: is not YAML: {error}") from error
    if _size(said, _MOST, 0) <= 0:
        raise TesseraError(f"{name}: has more than {_MOST} values, or is nested too deeply; this is no chart")
    return said if isinstance(said, dict) else {}


def _size(said: Any, left: int, depth: int) -> int:
    """What is left of a count of values; an alias counts each time, for it would be read each time."""
    if depth > 100:
        return 0
    below = said.values() if isinstance(said, dict) else said if isinstance(said, list) else ()
    for inner in below:
        if left <= 0:
            break
        left = _size(inner, left - 1, depth + 1)
    return left
