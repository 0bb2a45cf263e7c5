"""`tessera recipe list`."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.output import Json, emit


def list_criteria(
    layers: Annotated[bool, typer.Option("--layers", help="The layers and how many values each one sets.")] = False,
    json: Json = False,
) -> None:
    """Show what can be asked for: service by GPU, with the other criteria, and whether such clusters are run here.

    Where a cluster is not run here its recipe is resolved and checked against its charts, and no more.
    """
    from tessera.data import RECIPES
    from tessera.hardware import gpus
    from tessera.recipe import layers as reader
    from tessera.recipe.matrix import matrix

    read = reader.read(RECIPES / "layers", {"gpu": gpus.names(), "accelerator": gpus.accelerators()})
    if layers:
        rows = [
            {
                "layer": layer.layer,
                "scope": layer.scope,
                "blocks": len(layer.blocks),
                "values": sum(len(block.writes) for block in layer.blocks),
            }
            for layer in read
        ]
        emit(rows, ("layer", "scope", "blocks", "values"), json)
        return
    offers = [{key: _shown(value, json) for key, value in vars(one).items()} | {"run": one.run} for one in matrix(read)]
    emit(offers, ("service", "gpu", "accelerator", "kubernetes", "os", "sharing", "intent", "framework", "run"), json)


def _shown(value: str | tuple[str, ...], json: bool) -> object:
    if isinstance(value, str):
        return value
    return list(value) if json else ", ".join(value) or "-"
