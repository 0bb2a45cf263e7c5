"""`tessera tools list`."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.output import Json, emit


def list_tools(
    kubernetes: Annotated[str, typer.Option(help="Minor version of Kubernetes.")] = "1.36", json: Json = False
) -> None:
    """Show each tool, the version wanted, where it is, and why a binary on PATH is not used."""
    from tools.toolset import listing

    rows = [
        {
            "tool": tool.name,
            "version": tool.wanted,
            "source": tool.source,
            "path": str(tool.path) if tool.path else None,
            "not used": tool.refusal or None,
        }
        for tool in listing(kubernetes)
    ]
    emit(rows, ("tool", "version", "source", "not used"), json)
