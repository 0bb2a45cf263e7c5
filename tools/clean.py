"""Removes built tools that no version of versions.toml names any more."""

import shutil
from pathlib import Path

from tools import build, cache, progress, versions
from tools import go as gos
from tools.memory import Memory
from tools.progress import Report
from tools.root import root


def clean(*, report: Report | None = None) -> list[Path]:
    """Removes old builds, their logs and links to them; returns the folders that are gone.

    What any Kubernetes minor of versions.toml needs with the present Go is kept. While another process builds it
    waits, and tells `report` so. Raises ToolError when there is no Go, for then nothing tells old from current.
    """
    go = gos.identity(Memory()) or gos.find()
    every = {tool for minor in versions.minors() for tool in versions.tools(minor).values()}
    kept = {cache.binary(tool, go).parent for tool in every}
    with build.alone(report or progress.lines()):
        gone = [path for path in sorted((root() / "tools").glob("*/*")) if path not in kept]
        for path in gone:
            shutil.rmtree(path)
        _remove_logs(kept)
        _remove_links()
    return gone


def _remove_logs(kept: set[Path]) -> None:
    names = {f"{folder.parent.name}-{folder.name}.log" for folder in kept}
    for path in (root() / "logs").glob("*.log"):
        if path.name not in names:
            path.unlink()


def _remove_links() -> None:
    for folder in (root() / "bin").glob("*"):
        if not all(link.exists() for link in folder.iterdir()):
            shutil.rmtree(folder)
