"""`tessera uninstall`."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer


def uninstall(
    tools: Annotated[
        bool, typer.Option("--tools", help="Remove the built binaries too; building them takes long.")
    ] = False,
) -> None:
    """Remove what Tessera keeps for this user outside the checkout; refuses while a lab or a stack is left."""
    from lab.home import state_dir
    from tessera.errors import ProblemsError
    from tools.root import root

    if left := _left():
        raise ProblemsError(left)
    for folder in (state_dir(), *((root(),) if tools else ())):
        if folder.exists():
            shutil.rmtree(folder)
            print(f"removed {folder}")
        else:
            print(f"{folder} was not there")


def _left() -> list[str]:
    from cli.environment import backend_dir
    from lab.home import lab_homes

    labs = [f"lab {home.name} is left; `tessera lab down {home.name}` removes it" for home in lab_homes()]
    states = sorted((backend_dir() / ".pulumi" / "stacks").glob("*/*.json"))
    stacks = [
        f"stack {path.stem} is left; `pulumi destroy -s {path.stem}`, then "
        f"`pulumi stack rm {path.stem} --preserve-config` remove it"
        for path in states
    ]
    return [*labs, *stacks]
