"""`tessera tools`: the pinned binaries."""

import typer

from cli.tools.build import build
from cli.tools.clean import clean
from cli.tools.list import list_tools

app = typer.Typer(help="The pinned binaries: which are there, and building the others.", no_args_is_help=True)
app.command("list")(list_tools)
app.command()(build)
app.command()(clean)
