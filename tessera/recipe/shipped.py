"""Recipes by the layers that come with Tessera."""

from __future__ import annotations

from tessera import data
from tessera.hardware import gpus
from tessera.recipe import layers
from tessera.recipe.request import RecipeRequest
from tessera.recipe.resolve import resolve
from tessera.recipe.resolved import ResolvedRecipe


def shipped(request: RecipeRequest) -> ResolvedRecipe:
    """The recipe of a request by recipes/layers, whose conditions may name the GPUs of the hardware tables.

    Raises ProblemsError that names every problem at once.
    """
    words = {"gpu": gpus.names(), "accelerator": gpus.accelerators()}
    return resolve(request, layers.read(data.RECIPES / "layers", words))
