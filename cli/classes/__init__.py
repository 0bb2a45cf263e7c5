"""`tessera classes`: the catalogue of priced service levels."""

import typer

from cli.classes.fit import fit
from cli.classes.list import list_classes
from cli.classes.show import show

app = typer.Typer(help="The catalogue: priced service levels, and where they fit.", no_args_is_help=True)
app.command("list")(list_classes)
app.command()(show)
app.command()(fit)
