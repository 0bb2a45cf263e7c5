"""What runs on the cluster: components of stacks against their charts, one owner for each thing, nothing that fills."""

import re
from dataclasses import replace

import pytest

from tessera.charts.known import known
from tessera.data import RECIPES
from tessera.hardware import gpus
from tessera.hardware.machines import machine
from tessera.recipe import layers, paths, vet
from tessera.recipe.of_stack import request_of_criteria
from tessera.recipe.resolve import resolve
from tessera.recipe.security.rules import security_problems
from tessera.sharing.platform import platform_values
from tessera.sharing.pool import SharedPool
from tessera.sharing.way import Part, Way

LAYERS = layers.read(RECIPES / "layers", {"gpu": gpus.names(), "accelerator": gpus.accelerators()})
EXAMPLE = ("eks", "h100", "ubuntu-24.04", "training", "kubeflow", "dra")
STACKS = {
    "eks h100 training kubeflow ubuntu": EXAMPLE,
    "eks h100 training kubeflow amazonlinux": ("eks", "h100", "amazonlinux-2023", "training", "kubeflow", "dra"),
    "eks gb200 training plain device plugin": ("eks", "gb200", "amazonlinux-2023", "training", "none", "none"),
    "eks h100 inference dynamo mig": ("eks", "h100", "ubuntu-24.04", "inference", "dynamo", "mig"),
    "eks l40s interactive time-slicing": ("eks", "l40s", "ubuntu-22.04", "interactive", "kubeflow", "time-slicing"),
    "metal b200 training dynamic-mig": ("metal", "b200", "ubuntu-24.04", "training", "none", "dynamic-mig"),
    "metal gb200 inference dynamo": ("metal", "gb200", "ubuntu-24.04", "inference", "dynamo", "dra"),
    "metal l40s interactive mps debian": ("metal", "l40s", "debian-12", "interactive", "none", "mps"),
    "lab h100 training kubeflow": ("lab", "h100", "", "training", "kubeflow", "dra"),
    "lab gb200 inference dynamo": ("lab", "gb200", "", "inference", "dynamo", "dra"),
}
WORDS = ("service", "accelerator", "os", "intent", "framework", "sharing")
CLUSTER_NAME = {"aws-load-balancer-controller": {"clusterName": "a-cluster"}}
"""What the layers can't know, and each stack on EKS says."""


def recipe(*words):
    criteria = {"kubernetes": "1.36", **{key: value for key, value in zip(WORDS, words, strict=True) if value}}
    asked = request_of_criteria(criteria, frozenset(criteria))
    return resolve(replace(asked, overrides=CLUSTER_NAME if "eks" in words else {}), LAYERS)


@pytest.fixture(scope="module", params=STACKS.values(), ids=STACKS.keys())
def stack(request):
    return recipe(*request.param)


def values(found):
    """Each value of a chart that a layer sets: component, path, value, its reason, and the chart's default."""
    for said, origin in found.provenance.items():
        section, *rest = paths.parse(said)
        if section == "components" and rest[1] == "values" and origin.layer != "overrides":
            component = next(one for one in found.components if one.name == rest[0])
            value, path = component.values, tuple(rest[2:])
            for key in path:
                value = value[key]
            here = known(component.chart, component.version).tree.values.get(path)
            yield component.name, paths.text(path), value, origin.because, here.default if here else None


def chart_values(found, name):
    return next(one.values for one in found.components if one.name == name)


def names(found):
    return [one.name for one in found.components]


def test_the_example_is_a_whole_platform():
    found = recipe(*EXAMPLE)
    assert len(found.components) >= 16
    assert len(list(values(found))) >= 268


def test_a_value_that_equals_its_charts_default_is_pinned_and_no_other_is(stack):
    """Else it only fills: the reason says what relies on it."""
    for name, path, value, because, default in values(stack):
        assert because.startswith("Pinned") == (value == default), f"{name} {path}: {because}"


def test_values_are_what_the_charts_know_and_take(stack):
    assert [str(one) for one in vet.of_recipe(stack)] == []


def test_nothing_is_unsafe(stack):
    assert [str(one) for one in security_problems(stack)] == []


def test_components_come_from_where_their_charts_are_published(stack):
    for one in stack.components:
        published = known(one.chart, one.version).published
        ends = f"/{one.chart}" if published["kind"] == "oci" else ""  # a registry's address has the chart in it
        assert published["url"].removesuffix(ends) == one.repository, one.name


def test_a_lab_has_no_platform_until_a_framework_asks():
    for intent in ("training", "inference", "interactive"):
        assert names(recipe("lab", "gb200", "", intent, "none", "dra")) == []
    assert "gpu-operator" in names(recipe("lab", "h100", "", "training", "kubeflow", "dra"))


def test_one_thing_has_one_owner(stack):
    found = names(stack)
    assert ("kueue" in found) != ("kai-scheduler" in found), "quotas"
    assert "dcgm-exporter" not in found, "the operator brings it"
    assert not {"dranet", "aws-efa-k8s-device-plugin"} <= set(found), "network cards"
    operator = chart_values(stack, "gpu-operator")
    assert (operator["clusterPolicy"]["deployCR"], operator["gpuCluster"]["deployCR"]) == (True, False), "DRA's classes"
    for name in ("gpu-operator", "network-operator"):
        assert name not in found or chart_values(stack, name)["nfd"]["enabled"] is False, "labels of nodes"
    if "kubeflow-trainer" in found:
        trainer = chart_values(stack, "kubeflow-trainer")
        assert (trainer["jobset"]["install"], trainer["dataCache"]["enabled"]) == (False, False), "JobSet, LWS"
    if "dynamo-platform" in found:
        assert chart_values(stack, "dynamo-platform")["global"]["kai-scheduler"]["install"] is False, "KAI"


def test_monitors_come_after_the_kinds_that_they_are_of(stack):
    place = {name: at for at, name in enumerate(names(stack))}
    for name, path, value, _, _ in values(stack):
        if re.search(r"(?i)(servicemonitor\.enabled|prometheus\.enable|enablePrometheus)$", path) and value is True:
            after = place["kube-prometheus-stack"] <= place[name]
            assert after or name == "cilium", f"{name} ({path})"


def leaves(tree, path=()):
    if isinstance(tree, dict) and tree:
        return {found: value for key, inner in tree.items() for found, value in leaves(inner, (*path, key)).items()}
    return {path: tree}


WAYS = [
    Way("dra"),
    Way("dynamic-mig"),
    Way("none"),
    Way("mps", replicas=2),
    Way("time-slicing", replicas=4),
    Way("mig", layout=(Part((0,), {"1g.24gb": 4}),)),
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.kind)
def test_layers_and_generated_files_agree_on_who_gives_gpus_out(way):
    """What tessera.sharing computes pool by pool is what the layers say for one pool, its files aside."""
    computed = platform_values([SharedPool("pool", machine("pcie-rtx-pro-6000"), way)])
    found = recipe("metal", "rtx-pro-6000", "ubuntu-24.04", "inference", "none", way.kind)
    for name, tree in computed.items():
        said = leaves(chart_values(found, name))
        wanted = {path: value for path, value in leaves(tree).items() if "config" not in path}
        assert {path: said.get(path) for path in wanted} == wanted, name
    assert ("dra-driver-nvidia-gpu" in names(found)) == ("dra-driver-nvidia-gpu" in computed)


@pytest.mark.parametrize("way", [way.kind for way in WAYS])
def test_the_mig_strategy_is_one_that_the_operators_kind_takes(way):
    """Without one the chart makes `mig: null`, and the API server refuses the whole policy."""
    found = chart_values(recipe("metal", "rtx-pro-6000", "ubuntu-24.04", "inference", "none", way), "gpu-operator")
    assert found["mig"]["strategy"] == ("mixed" if way == "mig" else "none")


@pytest.mark.parametrize("way", [way.kind for way in WAYS])
def test_gpu_metrics_name_pods_also_where_claims_give_gpus_out(way):
    """The exporter is told to look slices up, and may, on the clusters that have any."""
    found = chart_values(recipe("metal", "rtx-pro-6000", "ubuntu-24.04", "inference", "none", way), "gpu-operator")
    claims = way in ("dra", "dynamic-mig")
    assert ({"name": "KUBERNETES_ENABLE_DRA", "value": "true"} in found["dcgmExporter"].get("env", [])) == claims
    rules = [rule for one in found.get("extraObjects", []) for rule in one.get("rules", [])]
    assert any("resourceslices" in rule["resources"] for rule in rules) == claims


def test_prometheus_can_check_the_certificate_of_kueues_metrics():
    tls = chart_values(recipe(*EXAMPLE), "kueue")["metrics"]["serviceMonitor"]["tlsConfig"]
    assert tls["insecureSkipVerify"] is False
    assert tls["ca"]["secret"] == {"name": "kueue-metrics-server-cert", "key": "ca.crt"}
    assert tls["serverName"].endswith(".kueue-system.svc")


def test_trays_of_one_domain_have_compute_domains_whoever_gives_gpus_out():
    for way in ("dra", "none"):
        found = chart_values(recipe("metal", "gb200", "ubuntu-24.04", "training", "none", way), "dra-driver-nvidia-gpu")
        assert found["resources"] == {"gpus": {"enabled": way == "dra"}, "computeDomains": {"enabled": True}}


@pytest.mark.parametrize(
    ("os", "enabled", "root"),
    [
        pytest.param("ubuntu-24.04", True, "/run/nvidia/driver", id="operator brings it"),
        pytest.param("amazonlinux-2023", False, "/", id="image has it"),
    ],
)
def test_operator_and_dra_driver_look_for_the_driver_in_one_place(os, enabled, root):
    found = recipe("eks", "h100", os, "training", "kubeflow", "dra")
    assert chart_values(found, "gpu-operator")["driver"]["enabled"] is enabled
    assert chart_values(found, "dra-driver-nvidia-gpu")["nvidiaDriverRoot"] == root


def test_the_operators_driver_is_the_one_that_hosts_are_said_to_have():
    found = recipe(*EXAMPLE)
    (pool,) = found.pools
    operator = chart_values(found, "gpu-operator")
    assert operator["driver"]["version"] == pool.hosts["driver"]["version"]
    assert operator["driver"]["kernelModuleType"] == pool.hosts["driver"]["modules"]
    assert operator["toolkit"]["version"] == f"v{pool.hosts['toolkit']['version']}"
