"""Nodes that the device plugin serves, on a real API server and scheduler: what they count is what can be had."""

import json

import pytest

from lab import lifecycle
from lab.record import LabSpec, NodePool
from tests.lab.kubectl import kubectl
from tests.waiting import wait_until

pytestmark = pytest.mark.lab

HALF = [{"gpus": [0], "profiles": {"1g.24gb": 4}}, {"gpus": [1]}]
REST = {"gpus": [2, 3, 4, 5, 6, 7], "profiles": {"4g.96gb": 1}}
TURNS = {"replicas": 4, "slices": {"1g.24gb": 2}}
POOLS = (
    # GPU 0 is four slices, GPU 1 whole; four pods on the whole GPU, two on a slice.
    NodePool("nvl", "pcie-h100-nvl", 1, "mig", layout=HALF, **TURNS),
    # The same on a GPU whose 1g.24gb is another share; its other GPUs are one slice each.
    NodePool("rtx", "pcie-rtx-pro-6000", 1, "mig", layout=[*HALF, REST], **TURNS),
    NodePool("cut", "hgx-h100", 1, "mig", {"3g.40gb": 1, "1g.10gb": 4}),
    NodePool("processes", "pcie-l40s", 1, "mps", replicas=4),
    NodePool("turns", "pcie-l40s", 1, "time-slicing", replicas=2),
    NodePool("whole", "hgx-h100", 1, "none"),
    NodePool("claims", "hgx-h100", 1),
)
GPU, SLICE = "nvidia.com/gpu", "nvidia.com/mig-1g.24gb"


@pytest.fixture(scope="module")
def lab(module_state):
    """One node for each way to share."""
    yield lifecycle.up(LabSpec("lab", "1.36", POOLS))
    lifecycle.down("lab")


@pytest.fixture(scope="module")
def nodes(client):
    """The nodes as the API server has them, by name."""
    return {node["metadata"]["name"]: node for node in client.items("/api/v1/nodes")}


@pytest.mark.parametrize(
    ("node", "counted"),
    [
        ("nvl-0", {GPU: "4", SLICE: "8"}),
        ("rtx-0", {GPU: "4", SLICE: "8", "nvidia.com/mig-4g.96gb": "6"}),
        ("cut-0", {"nvidia.com/mig-3g.40gb": "8", "nvidia.com/mig-1g.10gb": "32"}),
        ("processes-0", {GPU: "32"}),
        ("turns-0", {GPU: "16"}),
        ("whole-0", {GPU: "8"}),
        ("claims-0", {}),
    ],
)
def test_a_node_counts_what_the_generated_files_make_of_it(nodes, node, counted):
    allocatable = nodes[node]["status"]["allocatable"]
    assert {name: count for name, count in allocatable.items() if name.startswith("nvidia.com/")} == counted


def test_only_the_node_of_claims_publishes_gpus(client):
    slices = client.items("/apis/resource.k8s.io/v1/resourceslices")
    assert {one["spec"]["nodeName"] for one in slices if one["spec"]["driver"] == "gpu.nvidia.com"} == {"claims-0"}


def test_pods_are_placed_until_just_four_whole_units_and_eight_slices_are_used_up(lab, client):
    wanted = [("gpu", GPU)] * 5 + [("slice", SLICE)] * 9
    pods = [pod(f"{word}-{at}", resource) for at, (word, resource) in enumerate(wanted)]
    kubectl(lab.home, "apply", "-f", "-", stdin="\n---\n".join(map(json.dumps, pods)))
    wait_until(lambda: len(judged(client)) == len(pods), "a verdict of the scheduler on each pod")
    said = judged(client)
    placed = [name.partition("-")[0] for name, row in said.items() if row["status"] == "True"]
    assert (placed.count("gpu"), placed.count("slice")) == (4, 8)
    waiting = {name.partition("-")[0]: row["message"] for name, row in said.items() if row["status"] == "False"}
    assert (f"Insufficient {GPU}" in waiting["gpu"], f"Insufficient {SLICE}" in waiting["slice"]) == (True, True)


def judged(client):
    """What the scheduler says of each pod, by its name."""
    rows = client.items("/api/v1/namespaces/default/pods")
    return {
        one["metadata"]["name"]: row
        for one in rows
        for row in one.get("status", {}).get("conditions", ())
        if row["type"] == "PodScheduled"
    }


def pod(name, resource):
    """A pod that asks for one unit on the two-GPU node."""
    container = {"name": "main", "image": "none", "resources": {"limits": {resource: "1"}}}
    spec = {"containers": [container], "nodeSelector": {"tessera.dev/pool": "nvl"}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}
