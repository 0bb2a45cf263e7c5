"""The fence around NVIDIA's runtime, and the ways around it, on a real API server with its controllers."""

import pytest

from tessera.tenants.runtime_fence import runtime_fence
from tests.lab.people import Person, path
from tests.waiting import wait_until

pytestmark = pytest.mark.lab

CLASSES = "/apis/node.k8s.io/v1/runtimeclasses"


@pytest.fixture(scope="module")
def admin(lab):
    person = Person(lab.kubeconfig)
    for name in ("gpu-operator", "work"):
        person.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    for name in ("nvidia", "nvidia-legacy", "kata"):
        assert person.send("POST", CLASSES, runtime_class(name, name))[0] == 201
    for manifest in runtime_fence(["gpu-operator"]):
        person.apply(manifest)
    wait_until(lambda: "is for the platform" in person.tries(pod("nvidia"))[1], "the fence in force")
    wait_until(
        lambda: person.send("POST", CLASSES, runtime_class("x", "nvidia"), dryRun="All")[0] == 403, "and the other"
    )
    return person


def runtime_class(name, handler):
    return {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": name}, "handler": handler}


def spec(runtime):
    return {"containers": [{"name": "c", "image": "i"}], **({"runtimeClassName": runtime} if runtime else {})}


def pod(runtime=None, namespace="work", name="p", **metadata):
    metadata = {"name": name, "namespace": namespace, **metadata}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec(runtime)}


@pytest.mark.parametrize("runtime", ["nvidia", "nvidia-legacy"])
def test_nobody_has_the_runtime_outside_the_platform_not_even_an_administrator(admin, runtime):
    status, said = admin.tries(pod(runtime))
    assert (status, f"runtimeClassName {runtime} is for the platform's namespaces" in said) == (403, True)


@pytest.mark.parametrize(("runtime", "namespace"), [("nvidia", "gpu-operator"), ("kata", "work"), (None, "work")])
def test_the_platform_and_other_runtimes_are_free(admin, runtime, namespace):
    assert admin.tries(pod(runtime, namespace))[0] == 201


def test_a_label_on_a_namespace_opens_nothing(admin):
    change = {"metadata": {"labels": {"kubernetes.io/metadata.name": "gpu-operator"}}}
    admin.patch("Namespace", "", "work", change)
    assert admin.tries(pod("nvidia"))[0] == 403


def test_annotations_of_management_pods_are_refused(admin):
    status, said = admin.tries(pod(annotations={"nvidia.cdi.k8s.io/container.c": "management.nvidia.com/gpu=all"}))
    assert (status, "are for the platform's namespaces" in said) == (403, True)
    assert admin.create(pod(name="later"))[0] == 201
    change = {"metadata": {"annotations": {"nvidia.cdi.k8s.io/container.c": "x"}}}
    assert admin.patch("Pod", "work", "later", change)[0] == 403


def test_a_class_by_another_name_can_not_have_the_handler(admin):
    status, answer = admin.send("POST", CLASSES, runtime_class("harmless", "nvidia"))
    assert (status, "is fenced by the name of its class" in answer["message"]) == (403, True)
    assert admin.send("PATCH", f"{CLASSES}/kata", {"handler": "nvidia"})[0] in (403, 422)


def test_pods_of_controllers_are_refused_too(admin):
    labels = {"app": "a"}
    template = {"metadata": {"labels": labels}, "spec": spec("nvidia")}
    body = {"replicas": 1, "selector": {"matchLabels": labels}, "template": template}
    metadata = {"name": "d", "namespace": "work"}
    admin.apply({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": body})
    wait_until(lambda: _failure(admin), "the refusal in the Deployment's status")
    assert "is for the platform's namespaces" in _failure(admin)


def _failure(admin):
    status = admin.send("GET", path("Deployment", "work", "d"))[1].get("status", {})
    return next((one["message"] for one in status.get("conditions", ()) if one["type"] == "ReplicaFailure"), "")
