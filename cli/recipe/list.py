"""`tessera recipe list`."""

from __future__ import annotations

from cli.output import Json, emit


def list_criteria(json: Json = False) -> None:
    """Show the layers: for which criteria each one is, and how many values it sets."""
    from tessera.data import RECIPES
    from tessera.recipe import layers

    rows = [
        {
            "layer": layer.layer,
            "scope": layer.scope,
            "blocks": len(layer.blocks),
            "values": sum(len(block.writes) for block in layer.blocks),
        }
        for layer in layers.read(RECIPES / "layers")
    ]
    emit(rows, ("layer", "scope", "blocks", "values"), json)
