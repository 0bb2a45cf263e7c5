"""Tenants of a stack file: what is taken, what is assumed, and which mistakes are told."""

import pytest

from tessera.errors import ProblemsError
from tessera.spec.stack import stack
from tessera.tenants.tenant import Defaults, Network
from tessera.tenants.tenant import Tenant as Plain

CLASSES = ["gpu-training-single", "gpu-training-rdma", "gpu-batch-preemptible"]


def tenants(*rows):
    values = {
        "cluster": {"service": "lab"},
        "pools": [{"name": "h100", "board": "hgx-h100", "size": 2}],
        "classes": CLASSES,
        "tenants": list(rows),
    }
    return stack(values).tenants


def told(**changes):
    row = {"name": "vision", "groups": ["oidc:vision"], "quota": {"gpu-training-single": 4}} | changes
    with pytest.raises(ProblemsError) as refusal:
        tenants(row)
    return list(refusal.value.problems)


def test_a_short_tenant_gets_the_defaults():
    (found,) = tenants({"name": "vision", "groups": ["oidc:vision"], "quota": {"gpu-training-single": 4}})
    assert found.plain() == Plain("vision", ("oidc:vision",), {"gpu-training-single": 4})


def test_a_whole_tenant_is_taken_key_by_key():
    row = {
        "name": "vision",
        "groups": ["oidc:vision", "oidc:research"],
        "quota": {"gpu-training-single": 4, "gpu-batch-preemptible": 0},
        "queue": {"borrowing": {"gpu-batch-preemptible": 8}},
        "priorities": ["gpu-preemptible"],
        "resources": {"vpc.amazonaws.com/efa": 32},
        "cpu": "64",
        "memory": "512Gi",
        "defaults": {"cpuRequest": "1", "memoryLimit": "64Gi"},
        "network": {"apiServer": ["10.1.0.0/16"], "apiPorts": [6443], "egress": ["10.9.0.0/24"]},
    }
    (found,) = tenants(row)
    assert found.plain() == Plain(
        "vision",
        ("oidc:vision", "oidc:research"),
        {"gpu-training-single": 4, "gpu-batch-preemptible": 0},
        {"gpu-batch-preemptible": 8},
        ("gpu-preemptible",),
        {"vpc.amazonaws.com/efa": 32},
        "64",
        "512Gi",
        Defaults(cpu_request="1", memory_limit="64Gi"),
        Network(("10.1.0.0/16",), (6443,), ("10.9.0.0/24",)),
    )


def test_two_tenants_may_have_one_group():
    rows = [{"name": name, "groups": ["oidc:all"]} for name in ("vision", "speech")]
    assert [row.groups for row in tenants(*rows)] == [("oidc:all",)] * 2


@pytest.mark.parametrize("name", ["default", "kube-system", "kube-public", "kube-mine", "gpu-system", "tessera-x"])
def test_a_namespace_of_the_cluster_is_no_tenant(name):
    assert told(name=name) == [
        f"tessera:tenants[0].name: '{name}' is a namespace of the cluster's own; "
        "allowed: any but default, kube-..., tessera-... and ...-system"
    ]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        pytest.param(
            {"groups": []},
            "groups: found an empty list; name at least one group, or nobody can use the quota",
            id="no group",
        ),
        pytest.param(
            {"groups": ["oidc:a", "system:authenticated"]},
            "groups[1]: 'system:authenticated' is a group of the cluster's own; name groups of the identity provider",
            id="group of the cluster",
        ),
        pytest.param(
            {"quota": {"gpu-training-singel": 1}},
            "quota.gpu-training-singel: unknown class 'gpu-training-singel' (did you mean 'gpu-training-single'?); "
            "allowed: gpu-batch-preemptible, gpu-training-rdma, gpu-training-single (tessera:classes of this stack)",
            id="unknown class",
        ),
        pytest.param(
            {"quota": {"gpu-inference-large": 1}},
            "quota.gpu-inference-large: unknown class 'gpu-inference-large'; "
            "allowed: gpu-batch-preemptible, gpu-training-rdma, gpu-training-single (tessera:classes of this stack)",
            id="class not offered",
        ),
        pytest.param(
            {"borrowing": {"gpu-training-single": 1}},
            "borrowing: unknown key 'borrowing'; allowed: cpu, defaults, groups, memory, name, network, priorities, "
            "queue, quota, resources",
            id="borrowing without a queue",
        ),
        pytest.param(
            {"queue": {"borrowing": {"gpu-batch-preemptible": 1}}},
            "queue.borrowing.gpu-batch-preemptible: unknown class 'gpu-batch-preemptible'; "
            "allowed: gpu-training-single (quota of this tenant, where 0 is a number too)",
            id="borrowing without a quota",
        ),
        pytest.param(
            {"quota": {"gpu-training-rdma": 1}, "queue": {"borrowing": {"gpu-training-rdma": 1}}},
            "queue.borrowing.gpu-training-rdma: class 'gpu-training-rdma' can't be queued, so nothing lends it: "
            "Kueue refuses claims with constraints, and the card must share the GPU's root",
            id="borrowing what can't be queued",
        ),
        pytest.param(
            {"priorities": ["system-node-critical"]},
            "priorities[0]: unknown priority 'system-node-critical'; "
            "allowed: gpu-preemptible, gpu-standard (those of tessera:classes of this stack)",
            id="priority of the system",
        ),
        pytest.param(
            {"resources": {"nvidia.com/gpu": 8}},
            "resources['nvidia.com/gpu']: GPUs are claimed by class, where quota and rules hold; "
            "put a class into quota instead",
            id="device plugin",
        ),
        pytest.param(
            {"resources": {"cpu": 8}},
            "resources.cpu: key: found 'cpu'; allowed: an extended resource, such as vpc.amazonaws.com/efa",
            id="resource that is none",
        ),
        pytest.param(
            {"cpu": 64},
            'cpu: found 64, a number; allowed: a quantity above 0, such as 512Gi, 500m or "64", in quotes if a number',
            id="quantity without quotes",
        ),
        pytest.param(
            {"defaults": {"memoryRequest": "32Gi"}},
            "defaults.memoryRequest: the request (32Gi) is above the limit (16Gi); "
            "raise memoryLimit or lower memoryRequest",
            id="request above the limit",
        ),
        pytest.param(
            {"network": {"egress": ["10.0.0.1/8"]}},
            "network.egress[0]: found '10.0.0.1/8'; allowed: a network, such as 10.0.0.0/8",
            id="address for a network",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(changes, line):
    assert told(**changes) == [f"tessera:tenants[0].{line}"]
