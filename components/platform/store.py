"""The store: every chart of a plan on this machine, before anything is made on the cluster.

Archives lie in `.charts` beside Pulumi.yaml, named by chart, version and digest: a release's state names that relative
path, so it is the same on every machine, and one chart whose content changed is a changed release.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, get_ident

from components.platform.fetch import Shelf, checked, in_folder
from components.platform.web import PlaceError, Web
from tessera.charts import archive
from tessera.charts.archive import Files
from tessera.errors import ProblemsError, TesseraError
from tessera.platform.causes import causes
from tessera.platform.plan import PlatformPlan, ReleasePlan
from tessera.platform.ready import Chart

FOLDER = ".charts"
_AT_ONCE = 4
_DIGITS = 12

Report = Callable[[str], None]


@dataclass
class Store:
    """root: the folder of Pulumi.yaml; report: told each chart that was fetched."""

    root: Path
    web: Web
    report: Report

    def load(self, plan: PlatformPlan) -> dict[str, Chart]:
        """Chart by component. Raises ProblemsError with every chart that can't be had."""
        (self.root / FOLDER).mkdir(exist_ok=True)
        shelf, lock = Shelf(self.web), Lock()
        done = 0

        def one(release: ReleasePlan) -> Chart | str:
            nonlocal done
            try:
                return self._chart(release, shelf)
            except PlaceError as error:
                return str(error)
            except TesseraError as error:
                return f"chart {release.chart} {release.version}: {error}"
            finally:
                with lock:
                    done += 1
                    self.report(f"charts: {done} of {len(plan.releases)}")

        with ThreadPoolExecutor(_AT_ONCE) as threads:
            found = dict(zip((one.name for one in plan.releases), threads.map(one, plan.releases), strict=True))
        if problems := causes((name, chart) for name, chart in found.items() if isinstance(chart, str)):
            raise ProblemsError(problems)
        return {name: chart for name, chart in found.items() if isinstance(chart, Chart)}

    def _chart(self, one: ReleasePlan, shelf: Shelf) -> Chart:
        content, digest, where = self._folder(one) if one.source.kind == "folder" else self._remote(one, shelf)
        files = checked(archive.unpacked(content, where), one, where)
        path = self._archive(one, digest)
        _keep(path, content)
        if one.source.kind != "folder":
            _keep(self._note(one), f"{digest}\n".encode())
        return Chart(f"./{FOLDER}/{path.name}", files, self._more(one))

    def _folder(self, one: ReleasePlan) -> tuple[bytes, str, str]:
        """The archive, its digest, and where it is from."""
        place = in_folder(one, self.root)
        where = str(place.relative_to(self.root) if place.is_relative_to(self.root) else place)
        if place.is_file():
            content = place.read_bytes()
            return content, hashlib.sha256(content).hexdigest(), where
        files = archive.read(place)
        return packed(one.chart, files), content_digest(files), where

    def _remote(self, one: ReleasePlan, shelf: Shelf) -> tuple[bytes, str, str]:
        """From the folder, where a note says that it was fetched from there; else fetched."""
        note, where = self._note(one), f"what {one.source.place} gave"
        if note.is_file():
            digest = note.read_text(encoding="utf-8").strip()
            path = self._archive(one, digest)
            if path.is_file() and hashlib.sha256(content := path.read_bytes()).hexdigest() == digest:
                return content, digest, where
        content = shelf.fetch(one)
        return content, hashlib.sha256(content).hexdigest(), where

    def _archive(self, one: ReleasePlan, digest: str) -> Path:
        return self.root / FOLDER / f"{one.chart}-{one.version}-{digest[:_DIGITS]}.tgz"

    def _note(self, one: ReleasePlan) -> Path:
        """Where the digest of what a place gave is kept."""
        of = hashlib.sha256(f"{one.source.place} {one.chart} {one.version}".encode()).hexdigest()[:_DIGITS]
        return self.root / FOLDER / f"{one.chart}-{one.version}-{of}.sha256"

    def _more(self, one: ReleasePlan) -> str:
        if not isinstance(one.crds, str):
            return ""
        try:
            return "\n---\n".join(path.read_text(encoding="utf-8") for path in _yamls(self.root / one.crds))
        except OSError as error:
            raise TesseraError(
                f"crds: {one.crds} can't be read ({error.strerror}); name a YAML file or a folder"
            ) from error


def _yamls(place: Path) -> Iterator[Path]:
    yield from sorted(place.glob("*.yaml")) if place.is_dir() else (place,)


def packed(chart: str, files: Files) -> bytes:
    """An archive of a chart's files: the same bytes for the same files."""
    raw = io.BytesIO()
    with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as tar:
        for path in sorted(files):
            member = tarfile.TarInfo(f"{chart}/{path}")
            member.size = len(files[path])
            tar.addfile(member, io.BytesIO(files[path]))
    return raw.getvalue()


def content_digest(files: Files) -> str:
    """Digest of names and contents; an archive's own would change with the compressor."""
    found = hashlib.sha256()
    for path in sorted(files):
        found.update(f"{path}\0{len(files[path])}\0".encode() + files[path])
    return found.hexdigest()


def _keep(path: Path, content: bytes) -> None:
    """Whole or not at all: two programs, or two components with one chart, may do it at once."""
    if path.is_file() and path.read_bytes() == content:
        return
    part = path.with_name(f"{path.name}.{os.getpid()}.{get_ident()}")
    part.write_bytes(content)
    part.replace(path)
