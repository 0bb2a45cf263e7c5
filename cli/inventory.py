"""`tessera inventory`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli.stack_file import StackName, stack_file


def inventory(
    stack: StackName,
    listing: Annotated[bool, typer.Option("--list", help="Answer as a dynamic inventory: all, as JSON.")] = False,
    host: Annotated[str | None, typer.Option(help="Answer as a dynamic inventory: one host's variables.")] = None,
) -> None:
    """Print a stack's hosts for Ansible: a YAML inventory, or the answers of a dynamic one."""
    from tessera.inventory import text
    from tessera.inventory.stack import inventory as inventory_of
    from tessera.spec.stack import read_file

    if listing and host is not None:
        raise typer.BadParameter("choose one of --list and --host")
    found = inventory_of(read_file(stack_file(stack)))
    if host is not None:
        print(text.host(found, host), end="")
        return
    if found.empty:
        print(f"stack {stack}: {found.empty}", file=sys.stderr)
    print(text.listed(found) if listing else text.static(found, stack), end="")
