"""`tessera tools build`."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.output import Json, emit


def build(
    names: Annotated[list[str] | None, typer.Argument(help="Names of tools; all without it.")] = None,
    kubernetes: Annotated[str, typer.Option(help="Minor version of Kubernetes.")] = "1.36",
    json: Json = False,
) -> None:
    """Build what neither PATH nor the cache has; minutes the first time, nothing after that."""
    from tools.toolset import ensure, listing

    known = [tool.name for tool in listing(kubernetes)]
    chosen = names or known
    for name in chosen:
        if name not in known:
            from tessera.errors import TesseraError
            from tessera.naming import unknown

            raise TesseraError(unknown("tool", name, known))
    toolset = ensure(chosen, kubernetes=kubernetes)
    rows = [
        {
            "tool": name,
            "version": toolset.version(name),
            "source": toolset.source(name),
            "path": str(toolset.path(name)),
        }
        for name in chosen
    ]
    emit(rows, ("tool", "version", "source", "path"), json)
