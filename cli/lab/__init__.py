"""`tessera lab`: real control planes with simulated GPU nodes on this machine."""

import typer

from cli.lab.down import down
from cli.lab.kubeconfig import kubeconfig
from cli.lab.nodes import nodes
from cli.lab.status import status
from cli.lab.up import up

app = typer.Typer(help="Real control planes with simulated GPU nodes on this machine.", no_args_is_help=True)
app.command()(up)
app.command()(down)
app.command()(status)
app.command()(nodes)
app.command()(kubeconfig)
