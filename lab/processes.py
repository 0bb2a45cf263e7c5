"""Processes of a lab. The process table is the only record: nothing can be stale.

Each part is started with an environment variable that names its lab and part, in a session of its own,
so it outlives the command that started it; it is found again by that variable and its binary's name.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass

import psutil

from lab.home import LabHome
from lab.parts import NAMES, Part
from tessera.errors import TesseraError

MARK = "_TESSERA_LAB_PART"
ROUNDS = 3


@dataclass(frozen=True)
class Running:
    """A live process of a lab. rss_mib: resident memory (MiB)."""

    part: str
    pid: int
    rss_mib: float


_children: list[subprocess.Popen[bytes]] = []
"""What this process started: kept, so that an end is noticed and reaped."""


@atexit.register
def _leave_running() -> None:
    """That parts outlive whoever started them is meant, and no resource that was forgotten."""
    for child in _children:
        if child.poll() is None:
            child.returncode = 0


def start(home: LabHome, part: Part) -> subprocess.Popen[bytes]:
    """Start a part in the background; it goes on when this process ends."""
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR")}
    environment[MARK] = _mark(home, part.name)
    with (home.logs / f"{part.name}.log").open("ab") as log:
        process = subprocess.Popen(
            part.argv,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment,
            cwd=home.root,
            start_new_session=True,
        )
    _children.append(process)
    return process


def find(home: LabHome) -> dict[str, Running]:
    """The lab's live processes, by part."""
    marks = {_mark(home, name): name for name in NAMES}
    return {name: Running(name, process.pid, process.memory_info().rss / 2**20) for process, name in _marked(marks)}


def stop(home: LabHome, names: Iterable[str] = NAMES, patience_s: float = 2) -> None:
    """End the named parts, all at once; what has not ended after patience_s seconds is killed.

    Raises TesseraError for a process that the system does not let die.
    """
    marks = {_mark(home, name): name for name in names}
    for _ in range(ROUNDS):  # again, for what was being started meanwhile
        found = [process for process, _ in _marked(marks)]
        if not found:
            return
        for process in found:
            _send(process, signal.SIGTERM)
        _, alive = psutil.wait_procs(found, timeout=patience_s)
        for process in alive:  # the API server waits for its clients, sometimes for a minute
            _send(process, signal.SIGKILL)
        psutil.wait_procs(alive, timeout=patience_s)
    if left := [f"{name} (pid {process.pid})" for process, name in _marked(marks)]:
        raise TesseraError(f"lab {home.name!r}: {', '.join(left)} can't be ended, not even killed; look at the machine")


def strays() -> dict[str, list[int]]:
    """Processes of labs whose folder is gone: process ids, by that folder."""
    found: dict[str, list[int]] = {}
    for process, root, _ in _all_marked():
        if not os.path.isdir(root):  # noqa: PTH112 - a text from another process, not a path of ours
            found.setdefault(root, []).append(process.pid)
    return found


def _mark(home: LabHome, name: str) -> str:
    return f"{home.root}:{name}"


def _marked(marks: dict[str, str]) -> list[tuple[psutil.Process, str]]:
    return [(process, name) for process, root, name in _all_marked() if f"{root}:{name}" in marks]


def _all_marked() -> list[tuple[psutil.Process, str, str]]:
    """Every lab's live processes, with the lab's folder and the part's name."""
    found = []
    for process in psutil.process_iter():
        try:
            root, _, name = process.environ().get(MARK, "").rpartition(":")
            # A shell started from inside would inherit the mark; only the part's own binary counts.
            if root and process.status() != psutil.STATUS_ZOMBIE and _runs(process, name):
                found.append((process, root, name))
        except (psutil.Error, OSError):
            continue
    return found


def _runs(process: psutil.Process, name: str) -> bool:
    argv = process.cmdline()
    return bool(argv) and os.path.basename(argv[0]) == name  # noqa: PTH119 - a name, not a path to open


def _send(process: psutil.Process, what: signal.Signals) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        process.send_signal(what)
