"""CRDs of a chart: read from the files of the chart and of those subcharts that its values switch on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from tessera.charts import helm_yaml, manifests
from tessera.charts.archive import Files
from tessera.charts.merged import defaults, is_on, over
from tessera.charts.parts import Chart, chart
from tessera.errors import TesseraError

_KIND = "CustomResourceDefinition"
_YAML = (".yaml", ".yml", ".json")


@dataclass(frozen=True)
class Crd:
    """A CustomResourceDefinition. name: plural.group; kind: group/Kind of its objects."""

    name: str
    kind: str
    manifest: Mapping[str, Any]


@dataclass(frozen=True)
class Brought:
    """What a chart brings. crds: those that Helm would never upgrade; kinds: group/Kind of CRDs in its templates."""

    crds: tuple[Crd, ...]
    kinds: tuple[str, ...]
    defaults: Mapping[str, Any]


def brought(files: Files, values: Mapping[str, Any], name: str) -> Brought:
    """What the chart and its subcharts bring with these values. name: the chart's, for messages.

    Raises TesseraError where a file of it can't be read.
    """
    try:
        whole = chart(files, ())
        below = defaults(whole)
    except TesseraError as error:
        raise TesseraError(f"{name}: {error}; take the chart from its source") from error
    charts = list(_enabled(whole, over(below, values), name))
    first: dict[str, Crd] = {}
    for crd in (crd for where, one in charts for crd in _crds(one, where)):
        first.setdefault(crd.name, crd)
    kinds = {kind for _, one in charts for kind in manifests.crds(one.texts("templates/"))}
    return Brought(tuple(first[key] for key in sorted(first)), tuple(sorted(kinds)), below)


def _enabled(one: Chart, values: Mapping[str, Any], where: str) -> Iterator[tuple[str, Chart]]:
    """A chart, and each inside that is on, by where it lies."""
    yield where, one
    for about, inner in one.inside:
        if inner and is_on(about, values):
            below = values.get(about.key)
            yield from _enabled(inner, below if isinstance(below, Mapping) else {}, f"{where}/{about.key}")


def _crds(one: Chart, where: str) -> Iterator[Crd]:
    for path, text in sorted(one.texts("crds/").items()):
        if path.lower().endswith(_YAML):
            yield from read_crds(text, f"{where}: {path}")


def read_crds(text: str, name: str) -> list[Crd]:
    """The CRDs of a YAML text. Raises TesseraError where it is no YAML, or a CRD lacks its name or group."""
    try:
        documents = list(helm_yaml.load_all(text))
    except yaml.YAMLError as error:
        raise TesseraError(
            f"{name}: is no YAML ({error.__class__.__name__}); take the chart from its source"
        ) from error
    return [_crd(one, name) for one in documents if isinstance(one, dict) and one.get("kind") == _KIND]


def _crd(manifest: Mapping[str, Any], name: str) -> Crd:
    try:
        spec = manifest["spec"]
        return Crd(manifest["metadata"]["name"], f"{spec['group']}/{spec['names']['kind']}", manifest)
    except (KeyError, TypeError) as error:
        raise TesseraError(f"{name}: a CRD lacks {error}; take the chart from its source") from error
