"""`tessera lab status`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.output import Json, emit


def status(
    name: Annotated[str | None, typer.Argument(help="Name of one lab; all of them without it.")] = None,
    json: Json = False,
) -> None:
    """Show each part of the labs: port, process, memory, and what is wrong. Exit code 1 where something is."""
    from lab.home import lab_home, lab_homes

    homes = [lab_home(name)] if name else lab_homes()
    rows = [row for home in homes for row in _rows(home)]
    emit(rows, ("lab", "part", "port", "pid", "memory MiB", "state"), json, "no labs; `tessera lab up` starts one")
    if any(row["state"] != "serves" for row in rows):
        raise typer.Exit(1)


def _rows(home: Any) -> list[dict[str, Any]]:
    from lab import faults
    from lab.record import load

    return [
        {
            "lab": home.name,
            "part": part.name,
            "port": part.port,
            "pid": part.running.pid if part.running else None,
            "memory MiB": round(part.running.rss_mib) if part.running else None,
            "state": part.fault or "serves",
        }
        for part in faults.examine(home, load(home))
    ]
