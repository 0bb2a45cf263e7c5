"""A small recipe: layers beside the tests, requests for it, and layers written in a test."""

from pathlib import Path
from textwrap import dedent

import pytest

from tessera.recipe import layers
from tessera.recipe.request import PoolRequest, RecipeRequest

LAYERS = Path(__file__).parent / "layers"


@pytest.fixture(scope="session")
def small():
    return layers.read(LAYERS)


@pytest.fixture
def pool():
    def make(name="h100", size=4, stated=None, **criteria):
        found = {"accelerator": "h100", "architecture": "amd64", "os": "ubuntu-24.04", "sharing": "dra", **criteria}
        found = {key: value for key, value in found.items() if value}
        said = set(found) - {"architecture"} if stated is None else stated
        return PoolRequest(name, size, found, frozenset(said))

    return make


@pytest.fixture
def request_for(pool):
    def make(*pools, stated=None, overrides=None, lines=None, **criteria):
        found = {"service": "metal", "kubernetes": "1.36", "intent": "training", "framework": "none", **criteria}
        said = frozenset(found if stated is None else stated)
        asked = pools or (pool(),)
        return RecipeRequest(found, tuple(asked), said, overrides or {}, "stacks/Pulumi.dc1.yaml", lines or {})

    return make


@pytest.fixture
def layer():
    """A layer from its blocks' text."""

    def make(name, blocks, scope="cluster"):
        text = f"format: 1\nlayer: {name}\nscope: {scope}\nblocks:\n{dedent(blocks)}"
        return layers.parse(text, name, f"recipes/layers/{name}.yaml", {"service": ["x"]})

    return make


@pytest.fixture
def quiet(pool):
    """A request that states nothing, so that any layers honour it."""

    def make(*pools, **more):
        criteria = {"service": "lab", "kubernetes": "1.36", "intent": "training", "framework": "none"}
        return RecipeRequest(criteria, pools or (pool(stated=()),), **more)

    return make
