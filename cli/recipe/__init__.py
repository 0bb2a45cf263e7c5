"""`tessera recipe`: what a stack resolves to, and why."""

import typer

from cli.recipe.diff import diff
from cli.recipe.import_result import import_result
from cli.recipe.list import list_criteria
from cli.recipe.lock import lock
from cli.recipe.order import order
from cli.recipe.show import show
from cli.recipe.vars import variables
from cli.recipe.vet import vet
from cli.recipe.why import why

app = typer.Typer(help="What a stack, or a set of criteria, resolves to, and why.", no_args_is_help=True)
app.command()(show)
app.command()(why)
app.command()(order)
app.command()(diff)
app.command("list")(list_criteria)
app.command("vars")(variables)
app.command()(lock)
app.command()(vet)
app.command("import")(import_result)
