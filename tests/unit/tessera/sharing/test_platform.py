"""Chart values of a cluster's pools, and pools that can't be in one cluster."""

import pytest

from tessera.errors import ProblemsError
from tessera.sharing.platform import BECAUSE, platform_values, remarks
from tests.unit.tessera.sharing.made import article, pool

CLUSTERS = {
    "all dra": [pool("h100", "hgx-h100"), pool("l4", "g6.xlarge")],
    "dra and time-slicing": [pool("h100", "p5.48xlarge"), pool("dev", "g6e.12xlarge", "time-slicing", replicas=4)],
    "static and dynamic MIG": [article(), pool("rtx", "pcie-rtx-pro-6000", "dynamic-mig")],
    "MIG beside time-slicing": [article(), pool("turns", "pcie-l40s", "time-slicing", replicas=4)],
    "MPS": [pool("processes", "pcie-l40s", "mps", replicas=8)],
    "GB200 trays": [pool("gb200", "gb200-nvl72-tray"), pool("ec2", "p6e-gb200.36xlarge")],
    "GB200 trays with whole GPUs": [pool("gb200", "gb200-nvl72-tray", "none")],
}


@pytest.mark.parametrize("name", CLUSTERS)
def test_the_values_are_the_golden_ones(golden, name):
    golden(name.lower().replace(" ", "-"), platform_values(CLUSTERS[name]))


@pytest.mark.parametrize("name", CLUSTERS)
def test_every_value_has_a_because(name):
    found = [path for component, tree in platform_values(CLUSTERS[name]).items() for path in leaves(component, tree)]
    assert [path for path in found if not any(path == key or path.startswith(f"{key}.") for key in BECAUSE)] == []


def leaves(path, tree):
    if not isinstance(tree, dict):
        return [path]
    return [leaf for key, row in tree.items() for leaf in leaves(f"{path}.{key}", row)]


def test_no_pool_needs_no_component():
    assert platform_values([]) == {}


def test_the_driver_is_absent_where_no_pool_is_had_through_claims():
    assert list(platform_values([pool("a", "pcie-l40s", "none")])) == ["gpu-operator"]


def refused(pools, gates=None):
    with pytest.raises(ProblemsError) as refusal:
        platform_values(pools, gates)
    return list(refusal.value.problems)


def test_the_strategy_is_one_that_the_operators_kind_knows():
    """An empty one makes a ClusterPolicy that the API server refuses."""
    found = {name: platform_values(pools)["gpu-operator"]["mig"]["strategy"] for name, pools in CLUSTERS.items()}
    assert set(found.values()) == {"mixed", "none"}
    assert {name for name, strategy in found.items() if strategy == "mixed"} == {
        "static and dynamic MIG",
        "MIG beside time-slicing",
    }


def test_mps_beside_pools_that_are_cut_ahead_is_refused():
    (line,) = refused([article(), pool("processes", "pcie-l40s", "mps", replicas=8)])
    assert "MPS does not start under it; allowed: time-slicing" in line


def test_trays_without_claims_beside_pools_with_claims_are_refused():
    (line,) = refused([pool("gb200", "gb200-nvl72-tray", "none"), pool("h100", "hgx-h100")])
    assert line.startswith("pool gb200: found none; its machines join NVLink domains, and h100 has GPUs through claims")


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        pytest.param(
            {"MPSSupport": "class notebooks"},
            "pool rtx needs the DRA driver's gate DynamicMIG, class notebooks needs MPSSupport; they exclude",
            id="exclusive",
        ),
        pytest.param(
            {"DeviceMetadata": "class vfio"},
            "class vfio needs the DRA driver's gate DeviceMetadata, which needs PassthroughSupport",
            id="without what it needs",
        ),
        pytest.param(
            {"MPSSuport": "class x"},
            "class x: unknown feature gate 'MPSSuport' (did you mean 'MPSSupport'?)",
            id="name",
        ),
    ],
)
def test_gates_that_can_not_be_on_in_one_cluster_are_refused(gates, said):
    assert refused([pool("rtx", "pcie-rtx-pro-6000", "dynamic-mig")], gates)[0].startswith(said)


def test_gates_that_can_be_are_on():
    values = platform_values([pool("h100", "hgx-h100")], {"MPSSupport": "class notebooks"})
    assert values["dra-driver-nvidia-gpu"]["featureGates"] == {"MPSSupport": True}


def test_pools_that_can_not_be_shared_so_are_all_named():
    wrong = [pool("a", "pcie-l40s", "dynamic-mig"), pool("b", "hgx-h100", "mig", profiles={"4g.40gb": 2})]
    assert {line.partition(":")[0] for line in refused(wrong)} == {"pool a", "pool b"}


def test_what_other_pools_bring_about_is_said():
    assert remarks(CLUSTERS["all dra"]) == ()
    (cut,) = remarks(
        [pool("h100", "hgx-h100"), pool("a100", "p4d.24xlarge"), pool("rtx", "g7e.12xlarge", "dynamic-mig")]
    )
    assert cut.startswith("pool h100: its GPUs are offered as MIG devices too")
    (waits,) = remarks(CLUSTERS["dra and time-slicing"])
    assert waits.startswith("pools h100: the operator's validator waits for counted GPUs")
