"""`tessera claims --watch`: a table that follows the cluster, or a line for each change."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cli.claims.view import Choice, claims, console, report
from tessera.dra import overview
from tessera.dra.rows import Change, Row, changes

if TYPE_CHECKING:
    from cli.claims.reading import Cluster

SHORTEST_S = 0.5
"""Between two looks at most two a second, however much changes."""


def watch_table(cluster: Cluster, choice: Choice) -> None:
    """Show the table and keep it up to date until Ctrl-C; the last one stays on the screen."""
    from rich.live import Live

    out = console()
    with _until_interrupted(cluster), Live(console=out, auto_refresh=False, vertical_overflow="crop") as live:
        while True:
            live.update(report(cluster.rows(), choice, _note(cluster), out.size.height), refresh=True)
            _pause(cluster)


def watch_lines(cluster: Cluster, as_json: bool) -> None:
    """Print a line for each change until Ctrl-C; what is there at the start is told as a count, on standard error."""
    before = cluster.rows()
    print(f"watching {cluster.what}: {claims(before)} claims", file=sys.stderr, flush=True)
    note = ""
    with _until_interrupted(cluster):
        while True:
            _pause(cluster)
            after = cluster.rows()
            for change in changes(before, after):
                print(json.dumps(_object(change)) if as_json else _line(change), flush=True)
            before = after
            note = _tell(cluster.store.note, note)


@contextmanager
def _until_interrupted(cluster: Cluster) -> Iterator[None]:
    """Watches inside. Ctrl-C is how a watch ends; a request to terminate leaves the terminal in order too."""
    signal.signal(signal.SIGTERM, _terminated)
    cluster.store.watch()
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        cluster.store.stop()


def _terminated(*_: object) -> None:
    sys.exit(128 + signal.SIGTERM)


def _pause(cluster: Cluster) -> None:
    """Until something changes, and a moment more, so that what comes together is shown together."""
    cluster.store.wait()
    cluster.store.settle(SHORTEST_S)


def _note(cluster: Cluster) -> str:
    return "  ".join(part for part in (f"{_now()}  Ctrl-C ends", cluster.note) if part)


def _tell(note: str, before: str) -> str:
    if note != before:
        print(note or "connected again", file=sys.stderr, flush=True)
    return note


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _line(change: Change) -> str:
    row = change.row
    parts = [_now(), overview.Group((row,)).pod, f"{_state(change.before)} -> {_state(change.after, 'gone')}"]
    if change.after and change.after.devices:
        parts += [row.node, overview.named(row.devices)]
    if change.after and row.reason:
        parts.append(row.why)
    return "  ".join(part for part in parts if part)


def _object(change: Change) -> dict[str, Any]:
    told = {"time": _now(), "old": _state(change.before), "new": _state(change.after, "gone")}
    return {**told, **change.row.as_json()}


def _state(row: Row | None, none: str = "new") -> str:
    return row.state if row else none
