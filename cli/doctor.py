"""`tessera doctor`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import typer

from cli.output import Json, emit


@dataclass(frozen=True)
class Finding:
    """One thing looked at. advice: what to do where it is not ok."""

    what: str
    ok: bool
    found: str
    advice: str = ""


def doctor(json: Json = False) -> None:
    """Look at everything Tessera needs on this machine and say what to do about what is wrong."""
    findings = [*_python(), *_tools(), *_memory(), *_backend(), *_labs(), *_strays()]
    emit([asdict(finding) for finding in findings], ("what", "ok", "found", "advice"), json)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


def _python() -> Iterator[Finding]:
    import platform
    import sys

    ok = sys.version_info >= (3, 12)
    yield Finding("Python", ok, platform.python_version(), "" if ok else "install Python 3.12 or newer; run make setup")


def _tools() -> Iterator[Finding]:
    from tools import go, toolset
    from tools.errors import ToolError

    rows = toolset.listing()
    missing = [row for row in rows if row.source == "missing"]
    for row in rows:
        found = f"{row.wanted}, {row.source}" + (f"; on PATH: {row.refusal}" if row.refusal else "")
        yield Finding(row.name, row.source != "missing", found, "tessera tools build" if row in missing else "")
    try:
        yield Finding("Go", True, f"{go.find().version} (only to build what is missing)")
    except ToolError as error:
        yield Finding("Go", not missing, str(error) if missing else "none or too old; nothing has to be built")


def _memory() -> Iterator[Finding]:
    import psutil

    free = psutil.virtual_memory().available / 2**30
    ok = free > 1.5
    yield Finding("memory", ok, f"{free:.1f} GiB available", "" if ok else "a lab needs about 1 GiB; end something")


def _backend() -> Iterator[Finding]:
    from cli.environment import backend_dir
    from cli.locks import locks

    url = os.environ.get("PULUMI_BACKEND_URL", f"file://{backend_dir()}")
    if not url.startswith("file://"):
        yield Finding("backend", True, f"{url} (only file backends are looked into)")
        return
    yield Finding("backend", True, url)
    for lock in locks(Path(url.removeprefix("file://"))):
        found = f"locked since {lock.since} by process {lock.holder} on {lock.host}"
        if lock.stale:
            advice = f"that process is gone: pulumi cancel -s {lock.stack}"
            yield Finding(f"stack {lock.stack}", False, f"stale lock: {found}", advice)
        else:
            yield Finding(f"stack {lock.stack}", True, found)


def _labs() -> Iterator[Finding]:
    from lab import faults
    from lab.home import lab_homes
    from lab.record import load
    from tessera.errors import TesseraError

    for home in lab_homes():
        try:
            wrong = faults.faults(home, load(home))
        except TesseraError as error:
            yield Finding(f"lab {home.name}", False, str(error), f"tessera lab down {home.name}")
            continue
        advice = f"pulumi up (a stack's lab), or tessera lab up {home.name}" if wrong else ""
        yield Finding(f"lab {home.name}", not wrong, "; ".join(wrong) or "serves", advice)


def _strays() -> Iterator[Finding]:
    from lab import processes

    for root, pids in processes.strays().items():
        name = Path(root).name
        found = f"processes {', '.join(map(str, pids))} of a lab whose folder {root} is gone"
        yield Finding(f"lab {name}", False, found, f"TESSERA_HOME={Path(root).parents[1]} tessera lab down {name}")
