"""Workloads: template and Deployment fit together."""

import pytest

from tessera.dra.workloads import ClaimingService, claiming_deployment

SERVICE = ClaimingService(
    name="embedding",
    namespace="ai",
    replicas=3,
    container="runtime",
    image="engine:1",
    claim="gpu",
    template="gpu-template",
    request="slice",
    device_class="gpu-fast-inference",
    labels={"app": "engine"},
    env={"MODEL": "large"},
)


@pytest.fixture
def template():
    return claiming_deployment(SERVICE)[0]


@pytest.fixture
def deployment():
    return claiming_deployment(SERVICE)[1]


def test_the_two_objects_look_like_this(golden):
    golden("claiming-service", list(claiming_deployment(SERVICE)))


def test_the_pod_names_the_template_of_its_own_namespace(template, deployment):
    (use,) = deployment["spec"]["template"]["spec"]["resourceClaims"]
    assert use == {"name": "gpu", "resourceClaimTemplateName": template["metadata"]["name"]}
    assert template["metadata"]["namespace"] == deployment["metadata"]["namespace"] == "ai"


def test_the_container_uses_a_claim_of_its_pod_and_a_request_of_that_claim(template, deployment):
    pod = deployment["spec"]["template"]["spec"]
    (used,) = pod["containers"][0]["resources"]["claims"]
    assert used["name"] in [row["name"] for row in pod["resourceClaims"]]
    assert used["request"] in [row["name"] for row in template["spec"]["spec"]["devices"]["requests"]]


def test_the_selector_matches_the_pods_that_it_makes(deployment):
    wanted = deployment["spec"]["selector"]["matchLabels"]
    assert wanted.items() <= deployment["spec"]["template"]["metadata"]["labels"].items()
    assert wanted == {"app.kubernetes.io/name": "embedding", "app": "engine"}


def test_the_environment_is_a_list_of_names_and_values(deployment):
    assert deployment["spec"]["template"]["spec"]["containers"][0]["env"] == [{"name": "MODEL", "value": "large"}]
