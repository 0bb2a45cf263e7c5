"""`tessera lab down`."""

from __future__ import annotations

from typing import Annotated

import typer


def down(
    names: Annotated[list[str] | None, typer.Argument(help="Names of the labs.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All labs of this user.")] = False,
) -> None:
    """Stop labs and remove all that is theirs; a lab of a stack is better ended by `pulumi destroy`."""
    from lab import lifecycle
    from lab.home import lab_homes

    chosen = [home.name for home in lab_homes()] if every else names or ["lab"]
    for name in chosen:
        print(f"lab {name}: {'removed' if lifecycle.down(name) else 'was not there'}")
    if not chosen:
        print("no labs")
