"""Every class of the catalogue on a real API server and scheduler: its example pod is accepted and scheduled."""

import json

import pytest

from lab import lifecycle
from lab.client import Client
from lab.record import LabSpec, NodePool
from tessera.dra import priorities
from tessera.dra.classes import device_classes, names, service_class
from tessera.dra.examples import example
from tessera.dra.priorities import priority, priority_class
from tests.lab.kubectl import kubectl
from tests.waiting import wait_until

pytestmark = pytest.mark.lab

SPEC = LabSpec("lab", "1.36", (NodePool("h100", "hgx-h100", 1), NodePool("rtx", "pcie-rtx-pro-6000", 1, "dynamic-mig")))
NAMESPACE = "examples"
RESTRICTED = {"pod-security.kubernetes.io/enforce": "restricted"}


@pytest.fixture(scope="module")
def catalogue(module_state):
    """A lab with nodes for every class, the catalogue on it, and a namespace that enforces Pod Security."""
    found = lifecycle.up(SPEC)
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": RESTRICTED}}
    _create(
        found.home,
        namespace,
        *(priority_class(priority(name)) for name in priorities.names()),
        *(row for name in names() for row in device_classes(service_class(name))),
    )
    yield found
    lifecycle.down("lab")


def _create(home, *manifests):
    said = json.dumps({"apiVersion": "v1", "kind": "List", "items": list(manifests)})
    return kubectl(home, "apply", "--server-side", "-f", "-", stdin=said)


@pytest.mark.parametrize("name", names())
def test_example_of_every_class_is_accepted_and_scheduled(catalogue, name):
    template, pod = example(service_class(name), NAMESPACE)
    client, called = Client.of(catalogue.home, "admin"), pod["metadata"]["name"]
    _create(catalogue.home, template, pod)
    path = f"/api/v1/namespaces/{NAMESPACE}/pods/{called}"
    wait_until(lambda: client.get(path)["spec"].get("nodeName"), f"scheduling of {name}")
    (claim,) = _claims(client, called)
    wanted = sum(row["exactly"]["count"] for row in template["spec"]["spec"]["devices"]["requests"])
    assert len(claim["status"]["allocation"]["devices"]["results"]) == wanted
    kubectl(catalogue.home, "delete", "pod", called, "-n", NAMESPACE, "--wait=false")
    wait_until(lambda: not _claims(client, called), f"release of {name}")


def _claims(client, pod):
    """Claims that a pod owns."""
    rows = client.items(f"/apis/resource.k8s.io/v1/namespaces/{NAMESPACE}/resourceclaims")
    return [row for row in rows if row["metadata"]["ownerReferences"][0]["name"] == pod]
