"""What is offered, machine by machine, agrees with what resolving refuses."""

import pytest

from tessera.data import RECIPES
from tessera.errors import ProblemsError
from tessera.hardware import gpus
from tessera.recipe import layers
from tessera.recipe.matrix import matrix
from tessera.recipe.of_stack import request_of_criteria
from tessera.recipe.resolve import resolve

LAYERS = layers.read(RECIPES / "layers", {"gpu": gpus.names(), "accelerator": gpus.accelerators()})
OFFERS = {(one.service, one.gpu): one for one in matrix(LAYERS)}


def test_only_the_lab_is_run_here():
    assert {(service, one.run) for (service, _), one in OFFERS.items()} == {
        ("lab", "run here"),
        ("eks", "not run here"),
        ("metal", "not run here"),
    }


@pytest.mark.parametrize(
    ("service", "gpu", "criterion", "word"),
    [
        pytest.param("eks", "l4", "sharing", "mig", id="MIG on a GPU without it"),
        pytest.param("eks", "h100-sxm-80", "os", "debian-12", id="system that the service has not"),
        pytest.param("metal", "b200-sxm-180", "os", "amazonlinux-2023", id="Amazon's system in a rack"),
        pytest.param("eks", "h100-sxm-80", "kubernetes", "1.37", id="version that the service has not"),
    ],
)
def test_what_is_refused_is_not_offered(service, gpu, criterion, word):
    offer = OFFERS[service, gpu]
    assert word not in getattr(offer, criterion)
    criteria = {
        "service": service, "accelerator": offer.accelerator, "kubernetes": offer.kubernetes[-1], "framework": "none",
        "intent": "training", "os": offer.os[0], "sharing": "dra", criterion: word,
    }  # fmt: skip
    with pytest.raises(ProblemsError, match=word):
        resolve(request_of_criteria(criteria, frozenset(criteria)), LAYERS)
