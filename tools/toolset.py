"""The tools that Tessera runs: found on PATH, in the cache, or built now."""

import hashlib
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools import build, cache, find, progress, versions
from tools import go as gos
from tools.go import Go
from tools.memory import Memory
from tools.progress import Report
from tools.root import root
from tools.versions import Tool

type Source = Literal["PATH", "built", "missing"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where one tool is, how it came there, and its version such as "1.36.3"."""

    path: Path
    source: Source
    version: str


@dataclass(frozen=True, slots=True)
class Toolset:
    """Tools that are there and have a version that fits. Its methods raise KeyError for one not asked for."""

    places: Mapping[str, Place]

    def path(self, name: str) -> Path:
        """The executable of that tool."""
        return self.places[name].path

    def source(self, name: str) -> Source:
        """PATH when the user's own binary fits, else built."""
        return self.places[name].source

    def version(self, name: str) -> str:
        """The version of that tool, such as "1.36.3"."""
        return self.places[name].version


@dataclass(frozen=True, slots=True)
class ToolStatus:
    """One line of the list of tools; `refusal` says why a binary on PATH is not used, "" if there is none."""

    name: str
    wanted: str
    path: Path | None
    source: Source
    refusal: str


def ensure(names: Iterable[str], *, kubernetes: str = "", report: Report | None = None) -> Toolset:
    """Those tools, ready to run; builds what neither PATH nor the cache has, which takes minutes once.

    `kubernetes` is a minor such as "1.36"; the default is the one of versions.toml. `report` is told about the
    building; without one it is shown on stderr. Raises ToolError when a tool can't be had.
    """
    minor = kubernetes or versions.minors()[0]
    wanted = versions.select(names, minor)
    memory = Memory()
    places = {tool.name: _place(tool, memory) for tool in wanted}
    missing = [tool for tool in wanted if places[tool.name] is None]
    if missing:
        go = gos.find(memory)
        _build(missing, minor, go, report)
        places |= {tool.name: _built(tool, go) for tool in missing}
    return Toolset({name: place for name, place in places.items() if place})


def listing(kubernetes: str = "") -> list[ToolStatus]:
    """Every tool of a Kubernetes minor, and where it is; builds nothing."""
    memory = Memory()
    return [_status(tool, memory) for tool in versions.tools(kubernetes or versions.minors()[0]).values()]


def bin_dir(toolset: Toolset) -> Path:
    """A folder of links to exactly these tools, to be put on PATH; the same tools give the same folder."""
    links = {name: place.path.resolve() for name, place in sorted(toolset.places.items())}
    folder = root() / "bin" / hashlib.sha256(repr(sorted(links.items())).encode()).hexdigest()[:16]
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".linking-", dir=folder.parent))
    for name, path in links.items():
        (scratch / name).symlink_to(path)
    try:
        scratch.rename(folder)
    except OSError:  # another process made the same folder meanwhile
        for link in scratch.iterdir():
            link.unlink()
        scratch.rmdir()
    return folder


def _build(missing: list[Tool], minor: str, go: Go, report: Report | None) -> None:
    sets = list(versions.module_sets(minor).values())
    if report:
        build.build_all(missing, sets, go, report)
        return
    with progress.display() as shown:
        build.build_all(missing, sets, go, shown)


def _place(tool: Tool, memory: Memory) -> Place | None:
    candidate = find.on_path(tool, memory)
    if candidate.path and not candidate.refusal:
        return Place(candidate.path, "PATH", candidate.version)
    go = gos.identity(memory)
    return _built(tool, go) if go else None


def _built(tool: Tool, go: Go) -> Place | None:
    path = cache.binary(tool, go)
    return Place(path, "built", tool.version) if path.exists() else None


def _status(tool: Tool, memory: Memory) -> ToolStatus:
    place = _place(tool, memory)
    refusal = find.on_path(tool, memory)
    return ToolStatus(
        name=tool.name,
        wanted=tool.version,
        path=place.path if place else None,
        source=place.source if place else "missing",
        refusal=refusal.refusal if refusal.path else "",
    )
