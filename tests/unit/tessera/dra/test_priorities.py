"""Priorities: production before everything else, spare work behind it."""

import pytest

from tessera.dra import priorities
from tessera.dra.classes import names, service_class
from tessera.dra.priorities import priority, priority_class
from tessera.errors import TesseraError

USERS_HIGHEST = 10**9
"""Values above this are Kubernetes' own."""


def test_the_highest_comes_first():
    assert priorities.names() == ["gpu-production", "gpu-standard", "gpu-preemptible"]


@pytest.mark.parametrize("name", priorities.names())
def test_none_is_the_default_and_none_reaches_into_the_systems_values(name):
    made = priority_class(priority(name))
    assert (made["apiVersion"], made["kind"]) == ("scheduling.k8s.io/v1", "PriorityClass")
    assert made["globalDefault"] is False
    assert 0 < made["value"] < USERS_HIGHEST
    assert made["description"]


def test_spare_work_pushes_nobody_out():
    assert priority_class(priority("gpu-preemptible"))["preemptionPolicy"] == "Never"
    assert priority_class(priority("gpu-production"))["preemptionPolicy"] == "PreemptLowerPriority"


def test_every_priority_has_a_class_that_uses_it():
    assert {service_class(name).priority for name in names()} == set(priorities.names())


def test_an_unknown_priority_gets_the_nearest_word():
    with pytest.raises(TesseraError, match="did you mean 'gpu-standard'"):
        priority("gpu-standart")
