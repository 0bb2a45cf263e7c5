"""`tessera charts list`."""

from __future__ import annotations

from cli.output import Json, emit

COLUMNS = ("chart", "version", "values", "refusals", "images", "crds", "recorded", "published")


def list_charts(json: Json = False) -> None:
    """Show the versions of charts whose values are recorded, and how many of what each has."""
    from tessera.charts.known import known, versions

    rows = []
    for chart, found in versions().items():
        for version in found:
            one = known(chart, version)
            row = (
                chart,
                version,
                len(one.tree.values),
                len(one.refusals),
                len(one.tree.images),
                len(one.tree.crds) + len(one.tree.crds_at_runtime),
                f"{one.tree.source.by}, {one.tree.source.ref}",
                one.published.get("url"),
            )
            rows.append(dict(zip(COLUMNS, row, strict=True)))
    emit(rows, COLUMNS, json, "no charts yet")
