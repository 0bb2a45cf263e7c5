"""Fetching a chart's archive from where it is published."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urljoin

import yaml

from components.platform.web import MissingError, PlaceError, Web
from tessera.charts import archive, helm_yaml, parts
from tessera.errors import TesseraError
from tessera.platform.plan import ReleasePlan

_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
_SHOWN = 5
_READ = re.compile(r"(charts/[^/]+/)*(Chart|values)\.yaml")
"""Files that are read as YAML, of the chart and of those inside."""


class Shelf:
    """Repositories by address; the index of each is read once, and one that can't be had is asked for once."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._indexes: dict[str, dict[str, Any]] = {}
        self._refused: dict[str, PlaceError] = {}
        self._reading = Lock()

    def fetch(self, one: ReleasePlan) -> bytes:
        """The archive of a chart from a repository or registry. Raises TesseraError in one sentence."""
        return self._registry(one) if one.source.kind == "oci" else self._repository(one)

    def _repository(self, one: ReleasePlan) -> bytes:
        place = one.source.place
        with self._reading:
            if place in self._refused:
                raise self._refused[place]
            try:
                rows = self._index(place).get("entries", {}).get(one.chart, [])
            except PlaceError as error:
                self._refused[place] = error
                raise
        row = next((row for row in rows if same(str(row.get("version")), one.version)), None)
        if row is None or not row.get("urls"):
            raise missing(one, (str(row.get("version")) for row in rows))
        try:
            found = self._web.get(urljoin(f"{place}/", row["urls"][0]))
        except MissingError as error:
            raise TesseraError(f"{place} lists the chart, yet {error}; tell who runs it") from error
        wanted = str(row.get("digest") or "").removeprefix("sha256:")
        return verified(found, wanted, place)

    def _index(self, place: str) -> dict[str, Any]:
        if place not in self._indexes:
            try:
                said = helm_yaml.load(self._web.get(f"{place}/index.yaml"))
            except MissingError:
                raise PlaceError(
                    f"{place} has no index.yaml, so it is no chart repository; check the address"
                ) from None
            except yaml.YAMLError:
                said = None
            if not isinstance(said, dict):
                raise PlaceError(f"{place}/index.yaml is no index of charts; check the address")
            self._indexes[place] = said
        return self._indexes[place]

    def _registry(self, one: ReleasePlan) -> bytes:
        base = f"https://{one.source.place.removeprefix('oci://').replace('/', '/v2/', 1)}/{one.chart}"
        if "/v2/" not in base:
            base = f"https://{one.source.host}/v2/{one.chart}"
        for tag in (one.version, swapped(one.version)):
            try:
                manifest = json.loads(self._web.get(f"{base}/manifests/{tag.replace('+', '_')}", _MANIFEST))
                break
            except MissingError:
                continue
        else:
            raise missing(one, self._tags(base))
        layer = next((row for row in manifest.get("layers", ()) if row.get("mediaType") == _LAYER), None)
        if layer is None:
            raise TesseraError(f"{one.source.place}/{one.chart}:{one.version} is no Helm chart; check the address")
        digest = str(layer["digest"])
        return verified(self._web.get(f"{base}/blobs/{digest}"), digest.removeprefix("sha256:"), one.source.place)

    def _tags(self, base: str) -> list[str]:
        try:
            return list(json.loads(self._web.get(f"{base}/tags/list")).get("tags") or ())
        except MissingError:
            return []


def in_folder(one: ReleasePlan, root: Path) -> Path:
    """The chart's folder or archive in a folder of charts, or that folder itself where it is the chart.

    root: what a relative folder is below. Raises TesseraError.
    """
    folder = root / Path(one.source.place).expanduser()
    if not folder.is_dir():
        raise PlaceError(f"folder {one.source.place} is not there; name the folder of charts or the bundle's")
    names = [f"{one.chart}-{one.version}.tgz", f"{one.chart}-{swapped(one.version)}.tgz"]
    archives = (path for name in names if (path := folder / name).is_file())
    folders = (path for path in (folder / one.chart, folder) if _is_chart(path, one))
    if found := next(chain(archives, folders), None):
        return found
    raise missing(one, (path.stem.removeprefix(f"{one.chart}-") for path in folder.glob(f"{one.chart}-*.tgz")))


def _is_chart(path: Path, one: ReleasePlan) -> bool:
    file = path / "Chart.yaml"
    said = _document({"Chart.yaml": file.read_bytes()}, "Chart.yaml", str(path)) if file.is_file() else {}
    return said.get("name") == one.chart and same(str(said.get("version")), one.version)


def checked(files: archive.Files, one: ReleasePlan, where: str) -> archive.Files:
    """The files, if they are the chart and version that were asked for. where: they are from. Raises TesseraError."""
    for path in sorted(filter(_READ.fullmatch, files)):
        _document(files, path, where)
    said = _document(files, "Chart.yaml", where)
    if said.get("name") != one.chart or not same(str(said.get("version")), one.version):
        found = f"Chart.yaml says {said.get('name')} {said.get('version')}, not {one.chart} {one.version}"
        raise TesseraError(f"{where}: {found}; {_remedy(one)}")
    return files


def _remedy(one: ReleasePlan) -> str:
    return "put the right chart there" if one.source.kind == "folder" else "tell who runs it"


def _document(files: archive.Files, path: str, where: str) -> dict[str, Any]:
    """A mapping in a YAML file of a chart. Raises TesseraError in one line with the line of the file."""
    try:
        return parts.document(files, path)
    except TesseraError as error:
        if not isinstance(error.__cause__, yaml.YAMLError):
            raise TesseraError(f"{where}: {error}") from error
        mark = getattr(error.__cause__, "problem_mark", None)
        reason = getattr(error.__cause__, "problem", None) or str(error.__cause__).splitlines()[0]
        line = f":{mark.line + 1}" if mark else ""
        raise TesseraError(f"{where}: {path}{line}: is no YAML ({reason}); mend the chart") from error


def verified(content: bytes, sha256: str, place: str) -> bytes:
    """The content, if it has that digest. Raises TesseraError."""
    found = hashlib.sha256(content).hexdigest()
    if sha256 and found != sha256:
        raise TesseraError(f"{place} gave an archive with sha256 {found}, but lists {sha256}; do not use it")
    return content


def same(left: str, right: str) -> bool:
    """Whether two versions are one: charts and their tags differ in a leading v."""
    return left.removeprefix("v") == right.removeprefix("v")


def swapped(version: str) -> str:
    """The version with the leading v that it lacks, or without the one that it has."""
    return version.removeprefix("v") if version.startswith("v") else f"v{version}"


def missing(one: ReleasePlan, there: Iterable[str]) -> TesseraError:
    """That a place has no such version, and which it has."""
    found = list(there)
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    has = f"it has {', '.join(found[:_SHOWN])}{more}" if found else "it has no chart of that name"
    return TesseraError(f"{one.source.place} has no {one.chart} {one.version}; {has}")
