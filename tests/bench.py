"""Measures what a user waits for; JSON on standard output.

`make bench`, or `python -m tests.bench --runs 5`. Seconds are wall time of whole commands; memory is what the
lab's processes have resident (MiB) after the first update.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab import lifecycle, processes
from lab.record import LabSpec, NodePool
from tests.components.conftest import example
from tests.components.project import Project

SPEC = LabSpec("bench", "1.36", (NodePool("h100", "hgx-h100", 2),))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    figures: dict[str, list[float]] = {}
    for number in range(runs):
        print(f"run {number + 1} of {runs}", file=sys.stderr)
        for name, value in _run().items():
            figures.setdefault(name, []).append(value)
    print(json.dumps({"machine": _machine(), "runs": runs, "figures": _summary(figures)}, indent=2))


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


def _machine() -> dict[str, Any]:
    return {"cores": os.cpu_count(), "architecture": platform.machine(), "system": platform.system()}


if __name__ == "__main__":
    main()
