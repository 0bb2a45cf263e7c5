"""`tessera mig`: how GPUs are cut into MIG instances."""

import typer

from cli.mig.plan import plan
from cli.mig.profiles import profiles

app = typer.Typer(help="How GPUs are cut into MIG instances.", no_args_is_help=True)
app.command()(plan)
app.command()(profiles)
