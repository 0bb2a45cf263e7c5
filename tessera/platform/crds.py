"""CRDs of a chart: read from the files of the chart and of those subcharts that its values switch on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from tessera.charts import archive, manifests
from tessera.charts.archive import Files
from tessera.errors import TesseraError
from tessera.platform import plain_yaml

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
    defaults = _defaults(files, name)
    merged = over(defaults, values)
    charts = [(name, files), *_enabled(files, merged, name)]
    crds = [crd for where, inside in charts for crd in _crds(inside, where)]
    kinds = {kind for _, inside in charts for kind in manifests.crds(_templates(inside))}
    first: dict[str, Crd] = {}
    for crd in crds:
        first.setdefault(crd.name, crd)
    return Brought(tuple(first[key] for key in sorted(first)), tuple(sorted(kinds)), defaults)


def read_crds(text: str, name: str) -> list[Crd]:
    """The CRDs of a YAML text. Raises TesseraError where it is no YAML, or a CRD lacks its name or group."""
    try:
        documents = list(plain_yaml.load_all(text))
    except yaml.YAMLError as error:
        raise TesseraError(
            f"{name}: is no YAML ({error.__class__.__name__}); take the chart from its source"
        ) from error
    return [_crd(one, name) for one in documents if isinstance(one, dict) and one.get("kind") == _CRD]


_CRD = "CustomResourceDefinition"


def _crd(manifest: Mapping[str, Any], name: str) -> Crd:
    try:
        spec = manifest["spec"]
        return Crd(manifest["metadata"]["name"], f"{spec['group']}/{spec['names']['kind']}", manifest)
    except (KeyError, TypeError) as error:
        raise TesseraError(f"{name}: a CRD lacks {error}; take the chart from its source") from error


def _crds(files: Files, name: str) -> Iterator[Crd]:
    for path in sorted(files):
        if path.startswith("crds/") and path.endswith(_YAML):
            yield from read_crds(files[path].decode("utf-8", "replace"), f"{name}: {path}")


def _templates(files: Files) -> dict[str, str]:
    return {
        path: text.decode("utf-8", "replace")
        for path, text in files.items()
        if path.startswith("templates/") and path.endswith(_YAML)
    }


def _enabled(files: Files, values: Mapping[str, Any], name: str) -> Iterator[tuple[str, Files]]:
    """Name and files of each subchart that is on, and of theirs."""
    listed = {one.get("alias") or one["name"]: one for one in _metadata(files, name).get("dependencies") or ()}
    by_name = {one["name"]: key for key, one in listed.items()}
    for found, inside in _subcharts(files, name).items():
        key = by_name.get(found, found)
        if not _is_on(listed.get(key, {}), values):
            continue
        below = values.get(key)
        where = f"{name}/{key}"
        yield where, inside
        yield from _enabled(inside, over(_yaml(inside, where), below if isinstance(below, Mapping) else {}), where)


def _is_on(dependency: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Only the first of its conditions that exists counts, as in Helm."""
    for path in str(dependency.get("condition") or "").split(","):
        node: Any = values
        for key in path.strip().split("."):
            node = node.get(key) if isinstance(node, Mapping) else None
        if isinstance(node, bool):
            return node
    return True


def _subcharts(files: Files, name: str) -> dict[str, Files]:
    """By the name that a subchart gives itself."""
    folders: dict[str, dict[str, bytes]] = {}
    found: dict[str, Files] = {}
    for path, content in files.items():
        top, _, rest = path.removeprefix("charts/").partition("/")
        if not path.startswith("charts/"):
            continue
        if rest:
            folders.setdefault(top, {})[rest] = content
        elif top.endswith(".tgz"):
            inside = archive.unpacked(content, f"{name}: {path}")
            found[str(_metadata(inside, path).get("name", top))] = inside
    for top, inside_folder in folders.items():
        if "Chart.yaml" in inside_folder:
            found[str(_metadata(inside_folder, top).get("name", top))] = inside_folder
    return dict(sorted(found.items()))


def _defaults(files: Files, name: str) -> dict[str, Any]:
    """Values of the chart, over those of its subcharts, as Helm has them."""
    listed = {one["name"]: one.get("alias") or one["name"] for one in _metadata(files, name).get("dependencies") or ()}
    below = {
        listed.get(key, key): _defaults(inside, f"{name}/{key}") for key, inside in _subcharts(files, name).items()
    }
    return over(below, _yaml(files, name))


def _metadata(files: Files, name: str) -> dict[str, Any]:
    return _yaml(files, name, "Chart.yaml")


def _yaml(files: Files, name: str, file: str = "values.yaml") -> dict[str, Any]:
    try:
        said = plain_yaml.load(files.get(file, b""))
    except yaml.YAMLError as error:
        raise TesseraError(f"{name}: {file} is no YAML; take the chart from its source") from error
    return said if isinstance(said, dict) else {}


def over(under: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Values over defaults: mappings merge, all else is replaced, null takes a default away."""
    found = dict(under)
    for key, value in values.items():
        below = found.get(key)
        if value is None:
            found.pop(key, None)
        elif isinstance(value, Mapping):
            found[key] = over(below if isinstance(below, Mapping) else {}, value)
        else:
            found[key] = value
    return found
