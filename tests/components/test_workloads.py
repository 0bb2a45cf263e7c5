"""Workloads that change: what a claim asks for can't be changed, so something else must be."""

import pytest

from lab.client import RESOURCE_API, Client
from tests.waiting import wait_until

pytestmark = [pytest.mark.engine, pytest.mark.lab]
TEMPLATE = "kubernetes:resource.k8s.io/v1:ResourceClaimTemplate"
CLAIM = "kubernetes:resource.k8s.io/v1:ResourceClaim"
DEPLOYMENT, JOB = "kubernetes:apps/v1:Deployment", "kubernetes:batch/v1:Job"


@pytest.fixture
def config(config):
    config["classes"].append("gpu-training-single")
    return config


def change(project, config, **values):
    config["workloads"][0].update(values)
    project.write(config)
    planned = project.planned()
    project.up()
    project.unchanged()
    return planned


def classes(project):
    """The class of each claim that has devices."""
    claims = Client.of(project.home).items(f"{RESOURCE_API}/resourceclaims")
    rows = [
        row for row in claims if row.get("status", {}).get("allocation") and "deletionTimestamp" not in row["metadata"]
    ]
    return [row["spec"]["devices"]["requests"][0]["exactly"]["deviceClassName"] for row in rows]


def test_another_class_replaces_the_template_and_pods_get_the_new_class_one_by_one(project, config):
    project.up()
    assert classes(project) == ["gpu-inference-large"] * 3
    assert change(project, config, **{"class": "gpu-training-single"}) == {TEMPLATE: "replace", DEPLOYMENT: "update"}
    wait_until(lambda: classes(project) == ["gpu-training-single"] * 3, "claims of the new class")


def test_another_class_works_with_every_device_taken(project, config):
    config["pools"][0]["size"] = 1
    config["workloads"][0]["count"] = 2
    config["workloads"][0]["replicas"] = 4
    project.write(config)
    project.up()
    change(project, config, **{"class": "gpu-training-single"})
    wait_until(lambda: classes(project) == ["gpu-training-single"] * 4, "claims of the new class")


def test_another_count_of_pods_or_image_replaces_nothing(project, config):
    project.up()
    assert change(project, config, replicas=4, image="registry.internal/vllm-engine:v0.8.3") == {DEPLOYMENT: "update"}


def test_another_shared_claim_replaces_the_claim_and_what_holds_it(project, config):
    config["workloads"][0]["resourceClaim"] = "cache"
    project.write(config)
    project.up()
    assert change(project, config, replicas=2) == {DEPLOYMENT: "update"}
    assert change(project, config, **{"class": "gpu-training-single"}) == {CLAIM: "replace", DEPLOYMENT: "replace"}
    assert classes(project) == ["gpu-training-single"]
    (claim,) = Client.of(project.home).items(f"{RESOURCE_API}/resourceclaims")
    assert len(claim["status"]["reservedFor"]) == 2


def test_another_claim_of_a_job_replaces_the_job(project, config):
    config["workloads"][0]["kind"] = "job"
    project.write(config)
    project.up()
    assert change(project, config, count=2) == {TEMPLATE: "replace", JOB: "replace"}
    client = Client.of(project.home)
    pods = "/api/v1/namespaces/ai-platform/pods"
    wait_until(lambda: [row["status"]["phase"] for row in client.items(pods)] == ["Running"] * 3, "the new pods")
