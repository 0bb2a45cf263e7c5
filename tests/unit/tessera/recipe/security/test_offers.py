"""Recipes of what the layers offer: one for each service and GPU, and every criterion in one."""

import pytest

from tessera.data import RECIPES
from tessera.hardware import gpus
from tessera.recipe import layers
from tessera.recipe.matrix import matrix
from tessera.recipe.security.offers import recipes


@pytest.fixture(scope="module")
def ships():
    return layers.read(RECIPES / "layers", {"gpu": gpus.names(), "accelerator": gpus.accelerators()})


@pytest.fixture(scope="module")
def found(ships):
    return [{**one.criteria, **one.pools[0].criteria} for one in recipes(ships)]


def test_each_service_and_gpu_has_one(ships, found):
    assert [(one["service"], one["gpu"]) for one in found] == [(one.service, one.gpu) for one in matrix(ships)]


@pytest.mark.parametrize("criterion", ["kubernetes", "os", "sharing", "intent", "framework"])
def test_each_value_that_is_offered_comes_up(ships, found, criterion):
    offered = {value for one in matrix(ships) for value in getattr(one, criterion)}
    assert {one[criterion] for one in found if criterion in one} == offered


@pytest.mark.parametrize("service", ["eks", "metal"])
def test_each_framework_comes_up_on_each_service(found, service):
    assert {one["framework"] for one in found if one["service"] == service} == {"kubeflow", "dynamo", "none"}
