"""`tessera recipe diff`."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.output import Json
from cli.recipe.source import Criteria, resolved


def diff(
    before: Annotated[str, typer.Argument(help="Name of a stack.")],
    after: Annotated[str, typer.Argument(help="Name of another stack.")],
    json: Json = False,
) -> None:
    """Show what differs between the recipes of two stacks."""
    from cli.recipe.changes import print_changes
    from tessera.recipe.diff import diff as differences

    found = differences(resolved(before, Criteria()), resolved(after, Criteria()))
    print_changes(found, json, "the same recipe")
