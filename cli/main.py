"""The top of the command line.

Exit codes: 0 done; 1 looked, and something is wrong (doctor, lab status, classes fit, recipe vet); 2 wrong words on
the command line; 3 could not be done, with one sentence why; 130 ended by Ctrl-C.
"""

from __future__ import annotations

import sys

import typer

from cli.charts import app as charts
from cli.claims import claims
from cli.classes import app as classes
from cli.cost import cost
from cli.doctor import doctor
from cli.env import env
from cli.inventory import inventory
from cli.lab import app as lab
from cli.mig import app as mig
from cli.recipe import app as recipe
from cli.schema import schema
from cli.tools import app as tools
from cli.uninstall import uninstall
from tessera.errors import TesseraError
from tools.errors import ToolError

WRONG, FAILED, INTERRUPTED = 1, 3, 130

app = typer.Typer(
    name="tessera",
    help="GPU Kubernetes clusters as code.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 something is wrong, 2 wrong words, 3 could not be done, 130 interrupted.",
)
app.command()(doctor)
app.command()(env)
app.command()(claims)
app.command()(cost)
app.command()(inventory)
app.command()(schema)
app.command()(uninstall)
app.add_typer(charts, name="charts")
app.add_typer(classes, name="classes")
app.add_typer(lab, name="lab")
app.add_typer(mig, name="mig")
app.add_typer(recipe, name="recipe")
app.add_typer(tools, name="tools")


def main() -> None:
    """Run the command; a user's mistake is one sentence, never a trace."""
    try:
        app()
    except (TesseraError, ToolError) as error:
        print(f"tessera: {error}", file=sys.stderr)
        sys.exit(FAILED)
    except SystemExit as end:
        if end.code == INTERRUPTED:  # Typer ends so on Ctrl-C, without a word
            print("tessera: interrupted; the same command goes on from here", file=sys.stderr)
        raise
    except BrokenPipeError:
        sys.stderr.close()  # whoever read us has seen enough
        sys.exit(0)


if __name__ == "__main__":
    main()
