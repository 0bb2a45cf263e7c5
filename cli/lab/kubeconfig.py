"""`tessera lab kubeconfig`."""

from __future__ import annotations

from typing import Annotated

import typer


def kubeconfig(
    name: Annotated[str, typer.Argument(help="Name of the lab.")] = "lab",
    show: Annotated[bool, typer.Option("--show", help="Print what is in it; it holds a key.")] = False,
) -> None:
    """Print the path of a lab's kubeconfig, as in `export KUBECONFIG=$(tessera lab kubeconfig)`."""
    from lab.home import lab_home
    from lab.record import load

    home = lab_home(name)
    load(home)
    print(home.kubeconfig.read_text(encoding="utf-8") if show else home.kubeconfig)
