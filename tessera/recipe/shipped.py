"""Recipes by the layers that come with Tessera."""

from __future__ import annotations

from dataclasses import replace

from tessera import data
from tessera.errors import ProblemsError
from tessera.hardware import gpus
from tessera.recipe import layers, sharing
from tessera.recipe.layers import LayerFile
from tessera.recipe.request import RecipeRequest
from tessera.recipe.resolve import resolve
from tessera.recipe.resolved import ResolvedRecipe
from tessera.recipe.security.rules import security_problems


def shipped(request: RecipeRequest) -> ResolvedRecipe:
    """The recipe of a request by recipes/layers, whose conditions may name the GPUs of the hardware tables.

    Raises ProblemsError that names every problem at once.
    """
    words = {"gpu": gpus.names(), "accelerator": gpus.accelerators()}
    found = layers.read(data.RECIPES / "layers", words)
    if request.components:
        found = (*map(_without_components, found), *request.components)
    if request.sharing:
        found = (*found, sharing.placed(request.sharing, found))
    recipe = resolve(request, found)
    if refused := [str(one) for one in security_problems(recipe) if one.severity == "error"]:
        raise ProblemsError(refused)
    return recipe


def _without_components(layer: LayerFile) -> LayerFile:
    """A layer that says only what hosts need, and what must hold: what runs is said by somebody else."""
    blocks = (
        replace(block, writes=tuple(write for write in block.writes if write.path[0] != "components"))
        for block in layer.blocks
    )
    return replace(layer, blocks=tuple(blocks))
