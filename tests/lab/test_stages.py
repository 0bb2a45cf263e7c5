"""How simulated nodes and pods live."""

import json

import pytest

from tests.lab.kubectl import kubectl
from tests.waiting import wait_until

pytestmark = pytest.mark.lab

PODS = "/api/v1/namespaces/default/pods"
JOBS = "/apis/batch/v1/namespaces/default/jobs"


def job(name, annotations=None, pod_annotations=None):
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "annotations": annotations or {}},
        "spec": {
            "template": {
                "metadata": {"annotations": pod_annotations or {}},
                "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "example/work:1"}]},
            }
        },
    }


def conditions(client, name):
    status = client.get(f"{JOBS}/{name}").get("status", {})
    return {row["type"]: row["status"] for row in status.get("conditions", [])}


def phases(client, name):
    return [pod["status"]["phase"] for pod in client.items(PODS, labelSelector=f"job-name={name}")]


def test_pods_run_until_deleted_unless_an_annotation_says_how_long(lab, client):
    timed = job("timed", pod_annotations={"lab.tessera.dev/run-for": "500ms"})
    kubectl(lab.home, "apply", "-f", "-", stdin=json.dumps(job("endless")))
    kubectl(lab.home, "apply", "-f", "-", stdin=json.dumps(timed))
    wait_until(lambda: conditions(client, "timed").get("Complete") == "True", "the end of the timed job")
    assert phases(client, "timed") == ["Succeeded"]
    assert phases(client, "endless") == ["Running"]
    kubectl(lab.home, "delete", "job", "endless", "timed")
    wait_until(lambda: not client.items(PODS), "the end of the pods")


def test_hook_jobs_complete_by_themselves(lab, client):
    hook = job("hook", annotations={"helm.sh/hook": "pre-install"})
    patient = job(
        "patient", annotations={"helm.sh/hook": "pre-install"}, pod_annotations={"lab.tessera.dev/run-for": "1h"}
    )
    kubectl(lab.home, "apply", "-f", "-", stdin=json.dumps(hook))
    kubectl(lab.home, "apply", "-f", "-", stdin=json.dumps(patient))
    wait_until(lambda: conditions(client, "hook").get("Complete") == "True", "the end of the hook")
    assert phases(client, "patient") == ["Running"]
    kubectl(lab.home, "delete", "job", "hook", "patient")


def test_nodes_are_ready_and_renew_their_leases(client):
    nodes = client.items("/api/v1/nodes")
    assert [node["metadata"]["name"] for node in nodes] == ["h100-0", "h100-1"]
    assert all(not node["spec"].get("taints") for node in nodes)
    path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/h100-0"
    first = client.get(path)["spec"]["renewTime"]
    wait_until(lambda: client.get(path)["spec"]["renewTime"] != first, "the renewal of a lease")


@pytest.mark.full
def test_node_is_lost_when_its_heartbeat_stops_and_found_again(lab, client):
    """The node lifecycle is real: without its kubelet's lease a node becomes unreachable."""
    from lab import lifecycle, processes
    from tests.lab.conftest import SPEC

    def ready():
        rows = client.get("/api/v1/nodes/h100-0")["status"]["conditions"]
        return next(row["status"] for row in rows if row["type"] == "Ready")

    processes.stop(lab.home, ["kwok"])
    wait_until(lambda: ready() == "Unknown", "the loss of the node", deadline_s=120)
    lifecycle.up(SPEC)
    assert ready() == "True"
