"""`tessera recipe lock`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli.output import Json
from cli.recipe.source import Criteria, resolved
from cli.stack_file import StackName, lock_file, shown, stack_file


def lock(
    stack: StackName,
    update: Annotated[bool, typer.Option("--update", help="Agree: write what the stack resolves to now.")] = False,
    json: Json = False,
) -> None:
    """Show what changed since the stack's author last agreed; --update agrees. Exit code 1 where they differ."""
    from cli.recipe.changes import print_changes
    from lab.record import write
    from tessera.errors import TesseraError
    from tessera.recipe import lock as locks

    path = lock_file(stack_file(stack))
    recipe = resolved(stack, Criteria())
    fresh = locks.lock(recipe)
    known = path.exists()
    try:
        agreed = locks.read(path.read_text(encoding="utf-8"), shown(path)) if known else None
    except TesseraError as error:
        if not update:
            raise
        print(f"tessera: {error}", file=sys.stderr)  # and that is what happens now
        agreed = None
    changes = locks.changes(agreed, recipe) if agreed else []
    print_changes(changes, json, "unchanged" if agreed else "not locked yet")
    if update:
        write(path, fresh.text(), mode=0o644)
    elif changes or not known:
        raise typer.Exit(1)
