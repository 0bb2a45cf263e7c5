"""The layer that the pools of a stack make."""

from tessera.recipe.of_stack import request
from tessera.recipe.shipped import shipped
from tessera.recipe.why import why
from tessera.spec.stack import stack

CLUSTER = {"service": "metal", "kubernetes": "1.36", "intent": "inference"}
HOST = {"name": "gpu-1", "address": "10.0.0.1", "role": "control-plane"}


def recipe(*pools):
    rows = [
        {"name": f"p{at}", "os": "ubuntu-24.04", "hosts": [{"name": f"h{at}", "address": f"10.0.0.{at + 1}"}], **pool}
        for at, pool in enumerate(pools)
    ]
    return shipped(request(stack({"cluster": CLUSTER, "pools": rows})))


def values(found, name):
    return next(one.values for one in found.components if one.name == name)


def test_files_of_all_pools_stand_in_the_operators_values():
    mig = {"mig": {"layout": [{"gpus": [0], "profiles": {"1g.24gb": 4}}]}}
    found = recipe(
        {"board": "pcie-rtx-pro-6000", "sharing": mig}, {"board": "pcie-l40s", "sharing": {"mps": {"replicas": 2}}}
    )
    operator = values(found, "gpu-operator")
    assert "1g.24gb" in operator["migManager"]["config"]["data"]["config.yaml"]
    assert any("mps" in text for text in operator["devicePlugin"]["config"]["data"].values())


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
