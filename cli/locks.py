"""Locks of a file backend: a killed `pulumi` leaves one behind, and every later command refuses to run."""

from __future__ import annotations

import getpass
import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Lock:
    """A lock on a stack. holder: process id on host; stale: that process is certainly gone."""

    stack: str
    holder: int
    host: str
    since: str
    stale: bool


def locks(backend: Path) -> Iterator[Lock]:
    """All locks of the file backend in a folder (.pulumi/locks/organization/<project>/<stack>/<id>.json)."""
    for path in sorted((backend / ".pulumi" / "locks").glob("*/*/*/*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            pid, host, user = int(content["pid"]), str(content["hostname"]), str(content["username"])
        except (OSError, ValueError, KeyError, TypeError):
            continue  # released, or being written, this very moment; or not a lock of this backend
        here = host == socket.gethostname() and user == getpass.getuser()
        yield Lock(path.parent.name, pid, host, content.get("timestamp", ""), here and not _is_pulumi(pid))


def _is_pulumi(pid: int) -> bool:
    import psutil

    try:
        return "pulumi" in psutil.Process(pid).name()
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
