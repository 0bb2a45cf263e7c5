"""Slices on a real API server, and what the real scheduler makes of them."""

import json

import pytest

from lab import lifecycle
from lab.client import RESOURCE_API, Client
from lab.record import LabSpec, NodePool
from tessera.dra.slices import node_slices
from tessera.hardware import boards
from tests.lab.kubectl import kubectl

pytestmark = pytest.mark.lab

POOLS = (
    NodePool("h100", "hgx-h100", 1, "dynamic-mig"),
    NodePool("rtx", "pcie-rtx-pro-6000", 1, "dynamic-mig"),
    NodePool("gb200", "gb200-nvl72-tray", 1),
    NodePool("l40s", "pcie-l40s", 1, "none"),
)
PARENT, ROOT = "gpu.nvidia.com/parentUUID", "resource.kubernetes.io/pcieRoot"
GPU = 'device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "gpu"'
MIG = 'device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "mig"'
NIC = 'device.driver == "dra.net"'


@pytest.fixture(scope="module")
def lab(module_state):
    """One node of each kind."""
    yield lifecycle.up(LabSpec("lab", "1.36", POOLS))
    lifecycle.down("lab")


@pytest.fixture(scope="module")
def classes(lab):
    """A DeviceClass for whole GPUs, one for MIG devices and one for network cards."""
    for name, selector in (("gpu", GPU), ("mig", MIG), ("nic", NIC)):
        spec = {"selectors": [{"cel": {"expression": selector}}]}
        apply(
            lab, {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": name}, "spec": spec}
        )


@pytest.fixture
def namespace(lab, request):
    """A namespace for one test; what it holds is gone, and its devices are free, when the next one begins."""
    name = request.node.name.replace("_", "-").replace("[", "-").replace("]", "")[:60].strip("-")
    apply(lab, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    yield name
    kubectl(lab.home, "delete", "pods", "--all", "-n", name, "--wait=true")
    kubectl(lab.home, "delete", "resourceclaims", "--all", "-n", name, "--wait=true")
    kubectl(lab.home, "delete", "namespace", name, "--wait=false")


def apply(lab, *manifests):
    kubectl(lab.home, "apply", "-f", "-", stdin="\n---\n".join(map(json.dumps, manifests)))


def request(name, device_class, selector=None, count=1):
    selectors = {"selectors": [{"cel": {"expression": selector}}]} if selector else {}
    return {"name": name, "exactly": {"deviceClassName": device_class, "count": count, **selectors}}


def claim(lab, namespace, name, requests, same=None):
    """A claim of these devices, and a pod that uses it."""
    constraints = {"constraints": [{"matchAttribute": same}]} if same else {}
    place = {"name": name, "namespace": namespace}
    apply(
        lab,
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": place,
            "spec": {"devices": {"requests": requests, **constraints}},
        },
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": place,
            "spec": {
                "containers": [{"name": "main", "image": "none", "resources": {"claims": [{"name": "devices"}]}}],
                "resourceClaims": [{"name": "devices", "resourceClaimName": name}],
            },
        },
    )


def allocated(lab, namespace, name):
    """The devices that a claim got: driver and the slice's own words for each."""
    kubectl(lab.home, "wait", "pod", name, "-n", namespace, "--for=condition=PodScheduled", "--timeout=60s")
    found = json.loads(kubectl(lab.home, "get", "resourceclaim", name, "-n", namespace, "-o", "json"))
    results = found["status"]["allocation"]["devices"]["results"]
    return [(row["driver"], device(lab, row)) for row in results]


def device(lab, result):
    for one in Client.of(lab.home, "admin").items(f"{RESOURCE_API}/resourceslices"):
        if (one["spec"]["driver"], one["spec"]["pool"]["name"]) == (result["driver"], result["pool"]):
            for found in one["spec"].get("devices", []):
                if found["name"] == result["device"]:
                    return found
    raise AssertionError(result)


def published(client, node):
    rows = client.items(f"{RESOURCE_API}/resourceslices", fieldSelector=f"spec.nodeName={node}")
    return {row["metadata"]["name"]: row["spec"] for row in rows}


@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.name)
def test_api_server_takes_every_slice_as_it_is(client, pool):
    wanted = node_slices(f"{pool.name}-0", boards.board(pool.board), pool.sharing)
    found = published(client, f"{pool.name}-0")
    assert found == {one["metadata"]["name"]: one["spec"] for one in wanted}


@pytest.mark.parametrize("sharing", ["dra", "dynamic-mig"])
@pytest.mark.parametrize("key", boards.names())
def test_api_server_would_take_the_slices_of_any_board(lab, key, sharing):
    wanted = node_slices("anywhere", boards.board(key), sharing)
    said = kubectl(lab.home, "create", "--dry-run=server", "-f", "-", stdin="\n---\n".join(map(json.dumps, wanted)))
    assert said.count("created (server dry run)") == len(wanted)


def test_slices_go_with_their_node(client):
    for name in ("h100-0", "gb200-0"):
        uid = client.get(f"/api/v1/nodes/{name}")["metadata"]["uid"]
        rows = client.items(f"{RESOURCE_API}/resourceslices", fieldSelector=f"spec.nodeName={name}")
        assert {row["metadata"]["ownerReferences"][0]["uid"] for row in rows} == {uid}


def test_a_gpu_is_cut_on_demand_and_then_not_to_be_had_whole(lab, classes, namespace):
    """Two quarters of one RTX PRO 6000, then the whole of that very GPU."""
    quarter = 'device.attributes["gpu.nvidia.com"].profile == "1g.24gb"'
    claim(lab, namespace, "quarters", [request("quarters", "mig", quarter, count=2)], same=PARENT)
    (_, first), (_, second) = allocated(lab, namespace, "quarters")
    parent = first["attributes"]["parentUUID"]["string"]
    assert second["attributes"]["parentUUID"]["string"] == parent
    assert first["name"] != second["name"]

    that = f'device.attributes["gpu.nvidia.com"].uuid == "{parent}"'
    claim(lab, namespace, "whole", [request("gpu", "gpu", that)])
    kubectl(
        lab.home,
        *("wait", "pod", "whole", "-n", namespace, "--timeout=60s"),
        "--for=jsonpath={.status.conditions[?(@.type=='PodScheduled')].reason}=Unschedulable",
    )
    found = json.loads(kubectl(lab.home, "get", "pod", "whole", "-n", namespace, "-o", "json"))
    (condition,) = [row for row in found["status"]["conditions"] if row["type"] == "PodScheduled"]
    assert "cannot allocate all claims" in condition["message"]

    kubectl(lab.home, "delete", "pod", "quarters", "-n", namespace, "--wait=true")
    kubectl(lab.home, "delete", "resourceclaim", "quarters", "-n", namespace, "--wait=true")
    ((_, whole),) = allocated(lab, namespace, "whole")
    assert whole["attributes"]["uuid"]["string"] == parent


def test_a_gpu_and_a_network_card_below_one_root_are_one_claim(lab, classes, namespace):
    claim(lab, namespace, "pair", [request("gpu", "gpu"), request("nic", "nic")], same=ROOT)
    found = dict(allocated(lab, namespace, "pair"))
    assert found.keys() == {"gpu.nvidia.com", "dra.net"}
    assert len({one["attributes"][ROOT]["string"] for one in found.values()}) == 1


def test_a_pod_that_counts_gpus_lands_where_the_device_plugin_would_be(lab, namespace):
    wanted = {"limits": {"nvidia.com/gpu": "1"}}
    pod = {"containers": [{"name": "main", "image": "none", "resources": wanted}]}
    apply(
        lab,
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "counted", "namespace": namespace}, "spec": pod},
    )
    kubectl(lab.home, "wait", "pod", "counted", "-n", namespace, "--for=condition=PodScheduled", "--timeout=60s")
    found = json.loads(kubectl(lab.home, "get", "pod", "counted", "-n", namespace, "-o", "json"))
    assert found["spec"]["nodeName"] == "l40s-0"


def test_another_sharing_and_back_leaves_exactly_its_slices(lab, client):
    board = boards.board("hgx-h100")
    for sharing in ("dra", "none", "dynamic-mig"):
        lifecycle.up(LabSpec("lab", "1.36", (NodePool("h100", "hgx-h100", 1, sharing), *POOLS[1:])))
        wanted = {one["metadata"]["name"]: one["spec"] for one in node_slices("h100-0", board, sharing)}
        assert published(client, "h100-0") == wanted
        counted = client.get("/api/v1/nodes/h100-0")["status"]["allocatable"].get("nvidia.com/gpu")
        assert counted == ("8" if sharing == "none" else None)


def test_a_node_that_is_taken_away_leaves_no_slice(lab, client):
    lifecycle.up(LabSpec("lab", "1.36", POOLS[1:]))
    assert published(client, "h100-0") == {}
    lifecycle.up(LabSpec("lab", "1.36", POOLS))
    assert published(client, "h100-0")
