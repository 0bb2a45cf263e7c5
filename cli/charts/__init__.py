"""`tessera charts`: which values each version of a chart knows."""

import typer

from cli.charts.list import list_charts
from cli.charts.record import record
from cli.charts.show import show

app = typer.Typer(help="Which values each version of a Helm chart knows.", no_args_is_help=True)
app.command("list")(list_charts)
app.command()(show)
app.command()(record)
