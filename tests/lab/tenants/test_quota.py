"""A tenant's quota, and the work that runs within it, on a real scheduler and controllers."""

import pytest

from tests.lab.people import path
from tests.lab.tenants.manifests import amount, ask, claim, deployment, first_of, pod, template
from tests.waiting import wait_until

pytestmark = pytest.mark.lab


def quota(person):
    return person.get("ResourceQuota", "vision", "tessera")["status"]


def test_services_open_no_door_to_the_outside(member):
    for kind in ("LoadBalancer", "NodePort"):
        metadata = {"name": "s", "namespace": "vision"}
        spec = {"type": kind, "ports": [{"port": 80}], "selector": {"app": "d"}}
        said = member.tries({"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec})[1]
        assert "exceeded quota: tessera" in said


def test_a_claim_beyond_the_quota_is_refused_with_class_and_numbers(member):
    said = member.tries(claim(ask("gpu-training-single", count=5)))[1]
    key = "gpu-training-single.deviceclass.resource.k8s.io/devices"
    assert said.endswith(f"exceeded quota: tessera, requested: {key}=5, used: {key}=0, limited: {key}=4")


def test_the_quota_is_what_is_owned_and_what_may_be_borrowed(member):
    assert member.tries(claim(ask("gpu-batch-preemptible", count=3))) == (201, "")
    assert "exceeded quota" in member.tries(claim(ask("gpu-batch-preemptible", count=4)))[1]


def test_all_devices_of_a_node_count_as_many_as_a_claim_can_hold(member):
    said = member.tries(claim(ask("gpu-training-single", allocationMode="All")))[1]
    assert "requested: gpu-training-single.deviceclass.resource.k8s.io/devices=32" in said


def test_a_pod_that_claims_what_is_granted_runs(admin, member):
    """And a container that says nothing gets the defaults."""
    assert member.create(claim(first_of("gpu-training-single", "gpu-batch-preemptible"), name="mine")) == (201, "")
    made = pod("worker", claims=[{"resourceClaimName": "mine"}], priorityClassName="gpu-standard")
    assert member.create(made) == (201, "")
    wait_until(lambda: member.get("Pod", "vision", "worker")["status"]["phase"] == "Running", "the pod's start")
    asked = member.get("Pod", "vision", "worker")["spec"]["containers"][0]["resources"]
    assert asked["requests"] == {"cpu": "500m", "memory": "1Gi"}
    assert asked["limits"] == {"cpu": "4", "memory": "16Gi"}
    key = "gpu-training-single.deviceclass.resource.k8s.io/devices"
    wait_until(lambda: quota(admin)["used"][key] == "1", "the quota's count")
    assert member.send("DELETE", path("Pod", "vision", "worker"))[0] == 200
    assert member.send("DELETE", path("ResourceClaim", "vision", "mine"))[0] == 200
    wait_until(lambda: quota(admin)["used"][key] == "0", "the quota's release")


def test_a_deployment_works_through_its_controllers(admin, member):
    assert member.create(template("gpu-training-single", labels={"tessera.dev/class": "gpu-training-single"}))[0] == 201
    wanted = deployment(pod(claims=[{"resourceClaimTemplateName": "t"}]), replicas=2)
    assert member.create(wanted) == (201, "")
    wait_until(
        lambda: member.get("Deployment", "vision", "d")["status"].get("readyReplicas") == 2, "the start of both pods"
    )
    assert len(member.get("ResourceClaim", "vision")["items"]) == 2
    assert member.send("DELETE", path("Deployment", "vision", "d"))[0] == 200
    wait_until(lambda: not member.get("ResourceClaim", "vision")["items"], "the end of the claims")


def test_a_deployment_with_an_extended_resource_says_why_it_has_no_pods(member):
    assert member.create(deployment(pod(resources=amount("nvidia.com/gpu")), name="plain"))[0] == 201

    def said():
        rows = member.get("Deployment", "vision", "plain").get("status", {}).get("conditions", [])
        return any("nvidia.com/gpu is not granted to tenant vision" in row.get("message", "") for row in rows)

    wait_until(said, "the reason in the deployment's conditions")
    assert member.send("DELETE", path("Deployment", "vision", "plain"))[0] == 200
