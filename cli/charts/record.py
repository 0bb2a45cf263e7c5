"""`tessera charts record`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def record(
    chart: Annotated[Path, typer.Argument(help="A chart's folder, or its .tgz.")],
    out: Annotated[Path | None, typer.Option(help="Folder to write CHART-VERSION.json to; else it's printed.")] = None,
    version: Annotated[str | None, typer.Option(help="Of the package, where Chart.yaml has a placeholder.")] = None,
    needs: Annotated[
        list[Path] | None, typer.Option("--with", help="A chart that it depends on and does not hold itself.")
    ] = None,
    repository: Annotated[str, typer.Option(help="Where the source is.")] = "",
    path: Annotated[str, typer.Option(help="The chart's folder in the repository.")] = "",
    ref: Annotated[str, typer.Option(help="Tag or commit of the source.")] = "",
    date: Annotated[str, typer.Option(help="Date of the tag or commit, YYYY-MM-DD.")] = "",
) -> None:
    """Record which values a chart knows, from its files; nothing of it is run, and the network is not used."""
    from lab.record import write
    from tessera.charts import archive
    from tessera.charts import record as recording
    from tessera.charts.tree import Source

    source = Source("command", repository, path, ref, date)
    others = [archive.read(one) for one in needs or []]
    tree = recording.record(archive.read(chart), source, version, others)
    if out is None:
        print(tree.text(), end="")
        return
    file = out / f"{tree.chart}-{tree.version}.json"
    write(file, tree.text(), mode=0o644)
    missing = [one.name for one in tree.subcharts if not one.recorded]
    print(f"{file}: {len(tree.values)} values" + (f"; without {', '.join(missing)}: give --with" if missing else ""))
