"""What the command line prints: tables for people, JSON for programs, progress on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import typer

UNBOUNDED = 100_000
"""Columns of a line that nobody has to look at."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def emit(rows: Sequence[dict[str, Any]], columns: Iterable[str], as_json: bool, empty: str = "nothing") -> None:
    """Print rows: the named columns as a table, or every key as JSON (a list of objects)."""
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    if not rows:
        print(empty)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(row.get(column))) for column in columns))
    console = Console()
    if not console.is_terminal:  # a file or a pipe has no width to fit
        console = Console(width=UNBOUNDED)
    console.print(table)


def emit_object(value: dict[str, Any], as_json: bool) -> None:
    """Print one object, a line a key, or as JSON."""
    if as_json:
        print(json.dumps(value, indent=2))
        return
    width = max(len(key) for key in value)
    for key, part in value.items():
        print(f"{key:<{width}}  {_cell(part)}")


def progress() -> Callable[[str], None]:
    """A function that prints one line of progress on standard error."""
    return lambda line: print(line, file=sys.stderr, flush=True)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
