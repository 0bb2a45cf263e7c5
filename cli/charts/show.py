"""`tessera charts show`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.output import Json, emit

COLUMNS = ("path", "type", "default", "note")


def show(
    chart: Annotated[str, typer.Argument(help="Name of a chart.")],
    version: Annotated[str | None, typer.Argument(help="Its version, where several are recorded.")] = None,
    below: Annotated[str, typer.Option(help="Only values at or below this path.")] = "",
    json: Json = False,
) -> None:
    """Show a chart's values with type and default, and what it refuses; --json prints the key tree as recorded."""
    import json as json_module

    from tessera.charts import keys
    from tessera.charts.known import known
    from tessera.errors import TesseraError
    from tessera.naming import hint

    one = known(chart, _version(chart, version))
    if json:
        print(json_module.dumps(one.tree.document(), indent=1))
        return
    prefix = keys.split(below)
    rows = [row for path in sorted(one.tree.known) if path[: len(prefix)] == prefix and (row := _row(path, one))]
    if below and not rows:
        near = hint(below, _paths(one))
        raise TesseraError(
            f"chart {chart} has no value at or below {below!r}{near}; `tessera charts show {chart}` has all"
        )
    emit(rows, COLUMNS, as_json=False, empty="no values")
    if not below:
        for refusal in one.refusals:
            print(f"refuses: {refusal.says}")
        for asked in one.asks:
            print(f"asks of the cluster: {asked}")


def _paths(one: Any) -> list[str]:
    """All paths and what they are below, as people write them."""
    from tessera.charts import keys

    return sorted({keys.join(path[:depth]) for path in one.tree.known for depth in range(1, len(path) + 1)})


def _version(chart: str, version: str | None) -> str:
    from tessera.charts.known import versions
    from tessera.errors import TesseraError
    from tessera.naming import unknown

    recorded = versions()
    if chart not in recorded:
        raise TesseraError(unknown("chart", chart, recorded))
    if version is None and len(recorded[chart]) > 1:
        raise TesseraError(f"chart {chart}: several versions are recorded: {', '.join(recorded[chart])}; say which")
    return version or recorded[chart][0]


def _row(path: Any, one: Any) -> dict[str, Any] | None:
    from tessera.charts import keys

    tree = one.tree
    notes = {
        "refused: removed": path in tree.removed,
        "does nothing": path in tree.never_read or path in tree.unused_helpers_read,
        "known to templates alone": path in tree.template_only,
        "a template": path in tree.values and tree.values[path].templated,
    }
    said = ", ".join(note for note, holds in notes.items() if holds)
    value = tree.values.get(path)
    if value is None and not said:
        return None
    default = None if value is None else value.default
    if value and value.length:
        default = f"({value.length} {'items' if value.kind == 'list' else 'letters'})"
    return {"path": keys.join(path), "type": value.kind if value else None, "default": default, "note": said}
