"""The layer that the pools of a stack make."""

import pytest

from tessera.errors import ProblemsError
from tessera.recipe.of_stack import request
from tessera.recipe.shipped import shipped
from tessera.recipe.why import why
from tessera.spec.stack import stack

CLUSTER = {"service": "metal", "kubernetes": "1.36", "intent": "inference"}
HOST = {"name": "gpu-1", "address": "10.0.0.1", "role": "control-plane"}


def recipe(*pools, **more):
    rows = [
        {"name": f"p{at}", "os": "ubuntu-24.04", "hosts": [{"name": f"h{at}", "address": f"10.0.0.{at + 1}"}], **pool}
        for at, pool in enumerate(pools)
    ]
    return shipped(request(stack({"cluster": CLUSTER, "pools": rows} | more)))


def values(found, name):
    return next(one.values for one in found.components if one.name == name)


def test_files_of_all_pools_stand_in_the_operators_values():
    mig = {"mig": {"layout": [{"gpus": [0], "profiles": {"1g.24gb": 4}}]}}
    found = recipe(
        {"board": "pcie-rtx-pro-6000", "sharing": mig},
        {"board": "pcie-l40s", "sharing": {"time-slicing": {"replicas": 2}}},
    )
    operator = values(found, "gpu-operator")
    assert "1g.24gb" in operator["migManager"]["config"]["data"]["config.yaml"]
    assert any("timeSlicing" in text for text in operator["devicePlugin"]["config"]["data"].values())


def test_each_value_says_why_and_where_the_pools_are():
    (said,) = why(
        recipe({"board": "hgx-h100", "sharing": "none"}), "components.gpu-operator.values.devicePlugin.config.name"
    )
    assert (said.provenance.layer, said.provenance.because) == (
        "stack/sharing",
        "How GPUs are shared differs by pool; a node's label selects its key.",
    )


def test_pools_without_gpus_make_none():
    control = {"name": "cp", "os": "ubuntu-24.04", "hosts": [HOST]}
    assert request(stack({"cluster": CLUSTER, "pools": [control]})).sharing is None


@pytest.mark.parametrize(
    ("component", "override"),
    [
        pytest.param("gpu-operator", {"devicePlugin": {"enabled": True}}, id="device plugin beside claims"),
        pytest.param("gpu-operator", {"devicePlugin": None}, id="all of it deleted"),
        pytest.param(
            "dra-driver-nvidia-gpu",
            {"kubeletPlugin": {"nodeSelector": {"tessera.dev/allocator": "any"}}},
            id="driver on other nodes",
        ),
        pytest.param("dra-driver-nvidia-gpu", {"resources": {"gpus": {"enabled": False}}}, id="claims off"),
    ],
)
def test_who_gives_gpus_out_is_said_by_pools_and_not_overridden(component, override):
    with pytest.raises(
        ProblemsError, match=rf"overrides.{component}\S*: how GPUs are shared is what tessera:pools say"
    ):
        recipe({"board": "hgx-h100"}, overrides={component: override})


@pytest.mark.parametrize(
    "override",
    [
        pytest.param({"devicePlugin": {"enabled": False}}, id="the same value"),
        pytest.param({"devicePlugin": {"env": [{"name": "A", "value": "b"}]}}, id="beside it"),
    ],
)
def test_what_pools_do_not_say_may_be_overridden(override):
    assert recipe({"board": "hgx-h100"}, overrides={"gpu-operator": override})
