"""Combinations that the layers' own constraints refuse, with the layer, the line and the reason."""

import pytest

from tessera.data import RECIPES
from tessera.errors import ProblemsError
from tessera.recipe import layers
from tessera.recipe.constraints import violations
from tessera.recipe.of_stack import request_of_criteria
from tessera.recipe.resolve import resolve

LAYERS = layers.read(RECIPES / "layers")
BASE = {"service": "eks", "kubernetes": "1.36", "framework": "none", "intent": "training", "accelerator": "h100"}


def recipe(**criteria):
    asked = {**BASE, "os": "amazonlinux-2023", "sharing": "dra", **criteria}
    return resolve(request_of_criteria(asked, frozenset(asked)), LAYERS)


@pytest.mark.parametrize(
    ("criteria", "said"),
    [
        pytest.param({"accelerator": "l4", "sharing": "mig"}, "pool.sharing is mig", id="MIG on a GPU without it"),
        pytest.param(
            {"accelerator": "l4", "sharing": "dynamic-mig"}, "pool.sharing is dynamic-mig", id="MIG on demand"
        ),
        pytest.param({"accelerator": "a100", "sharing": "dynamic-mig"}, "pool.sharing is dynamic-mig", id="on Ampere"),
        pytest.param({"os": "debian-12"}, "pool.os is debian-12", id="system that the service has not"),
        pytest.param({"service": "metal"}, "pool.os is amazonlinux-2023", id="Amazon's system in a rack"),
        pytest.param({"kubernetes": "1.37"}, "cluster.kubernetes is 1.37", id="version that the service has not"),
    ],
)
def test_combination_is_refused_with_layer_line_and_reason(criteria, said):
    with pytest.raises(ProblemsError) as refusal:
        recipe(**criteria)
    line = next(problem for problem in refusal.value.problems if said in problem)
    assert "recipes/layers/" in line
    assert "must be one of" in line


@pytest.mark.parametrize(
    ("framework", "intent"),
    [
        pytest.param("dynamo", "training", id="inference framework for training"),
        pytest.param("kubeflow", "inference", id="training framework for inference"),
    ],
)
def test_what_is_merely_useless_is_a_warning(framework, intent):
    (broken,) = violations(recipe(framework=framework, intent=intent))
    assert broken.severity == "warning"
    assert f"cluster.intent is {intent}" in broken.text


def test_allowed_combination_breaks_nothing():
    assert violations(recipe()) == []
