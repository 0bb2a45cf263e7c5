"""What a user waits for: a lab, and a stack on it.

Seconds are wall time of whole commands; memory is what the lab's processes have resident (MiB) after the first
update.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab import lifecycle, processes
from lab.record import LabSpec, NodePool
from tests.bench.bed import say
from tests.components.conftest import example
from tests.components.project import Project

SPEC = LabSpec("bench", "1.36", (NodePool("h100", "hgx-h100", 2),))


def run(runs: int) -> dict[str, Any]:
    """So many rounds of all commands."""
    figures: dict[str, list[float]] = {}
    for number in range(runs):
        say(f"lab: run {number + 1} of {runs}")
        for name, value in _run().items():
            figures.setdefault(name, []).append(value)
    return {"runs": runs, "figures": _summary(figures)}


def _run() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TESSERA_HOME"] = str(Path(folder) / "home")
        try:
            return {**_lab(), **_stack(Path(folder) / "project")}
        finally:
            lifecycle.down("bench")
            lifecycle.down("lab")


def _lab() -> dict[str, float]:
    figures = {
        "lab_ready_s": _timed(lambda: lifecycle.up(SPEC)),
        "lab_unchanged_s": _timed(lambda: lifecycle.up(SPEC)),
    }
    lifecycle.down("bench")
    return figures


def _stack(folder: Path) -> dict[str, float]:
    folder.mkdir()
    project = Project(folder, example())
    figures = {"first_up_s": _timed(lambda: project.run("up", "-s", "lab", "--yes"))}
    figures["lab_memory_mib"] = sum(part.rss_mib for part in processes.find(project.home).values())
    figures["unchanged_up_s"] = _timed(lambda: project.run("up", "-s", "lab", "--yes"))
    figures["preview_s"] = _timed(lambda: project.run("preview", "-s", "lab", "--expect-no-changes"))
    figures["destroy_s"] = _timed(project.destroy)
    return figures


def _timed(act: Callable[[], Any]) -> float:
    began = time.monotonic()
    act()
    return time.monotonic() - began


def _summary(figures: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    return {
        name: {
            "min": round(min(values), 2),
            "median": round(statistics.median(values), 2),
            "max": round(max(values), 2),
        }
        for name, values in figures.items()
    }
