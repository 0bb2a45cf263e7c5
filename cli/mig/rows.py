"""Tables of a plan, which may have a row for each of 10,000 GPUs."""

from __future__ import annotations

from collections.abc import Sequence

from cli.output import emit

_FEW = 200
"""Rows that `emit` lays out in no time; thousands take it many seconds."""


def emit_rows(rows: Sequence[dict[str, str]], columns: Sequence[str], empty: str = "nothing") -> None:
    """Print a table; a long one as it looks where there is no terminal."""
    if len(rows) <= _FEW:
        emit(rows, columns, as_json=False, empty=empty)
        return
    widths = [max(len(column), *(len(row[column]) for row in rows)) for column in columns]
    for cells in (columns, *([row[column] for column in columns] for row in rows)):
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)))
