"""Workloads: claims, pods and what runs them fit together."""

from dataclasses import replace

import pytest

from tessera.dra.claims import Ask, Claim, Request
from tessera.dra.workloads import ClaimingWorkload, claim_object, controller

EMBEDDING = ClaimingWorkload(
    name="embedding",
    namespace="ai",
    replicas=3,
    container="runtime",
    image="engine:1",
    claim_name="gpu",
    claim=Claim((Request("slice", (Ask("gpu-inference-light"),)),)),
    template="gpu-template",
    cpu="1",
    memory="8Gi",
    priority="gpu-production",
    labels={"app": "engine"},
    env={"MODEL": "large"},
)
TRAINING = ClaimingWorkload(
    name="training",
    namespace="research",
    kind="job",
    replicas=2,
    container="main",
    image="trainer:1",
    claim_name="devices",
    claim=Claim(
        (Request("gpus", (Ask("gpu-training-distributed", 4),)), Request("nic", (Ask("gpu-training-rdma-nic"),)))
    ),
    template="training",
    cpu="16",
    memory="128Gi",
    priority="gpu-standard",
    pool="gb200",
    tolerations=[{"key": "gpu", "operator": "Equal", "value": "", "effect": "NoSchedule"}],
    together=True,
    user=1000,
)
SHARED = replace(EMBEDDING, template="", resource_claim="cache-gpu")
ALL = pytest.mark.parametrize("workload", [EMBEDDING, TRAINING, SHARED], ids=["service", "job", "shared"])


def pod(workload):
    return controller(workload)["spec"]["template"]["spec"]


@pytest.mark.parametrize(
    ("name", "workload"),
    [("claiming-service", EMBEDDING), ("claiming-job", TRAINING), ("sharing-service", SHARED)],
    ids=["service", "job", "shared"],
)
def test_the_two_objects_look_like_this(golden, name, workload):
    golden(name, [claim_object(workload), controller(workload)])


@ALL
def test_the_pod_names_the_claim_or_template_of_its_own_namespace(workload):
    (use,) = pod(workload)["resourceClaims"]
    made = claim_object(workload)["metadata"]
    key = "resourceClaimName" if workload.shared else "resourceClaimTemplateName"
    assert use == {"name": workload.claim_name, key: made["name"]}
    assert made["namespace"] == controller(workload)["metadata"]["namespace"]


@ALL
def test_the_container_uses_the_claim_of_its_pod_once_as_server_side_apply_takes_it(workload):
    (container,) = pod(workload)["containers"]
    (used,) = container["resources"]["claims"]
    assert used["name"] == workload.claim_name


def test_a_lone_request_is_named_and_of_several_all_are_meant():
    assert pod(EMBEDDING)["containers"][0]["resources"]["claims"][0]["request"] == "slice"
    assert "request" not in pod(TRAINING)["containers"][0]["resources"]["claims"][0]


def test_the_selector_matches_the_pods_that_it_makes():
    deployment = controller(EMBEDDING)
    wanted = deployment["spec"]["selector"]["matchLabels"]
    assert wanted.items() <= deployment["spec"]["template"]["metadata"]["labels"].items()
    assert wanted == {"app.kubernetes.io/name": "embedding", "app": "engine"}


def test_the_environment_is_a_list_of_names_and_values():
    assert pod(EMBEDDING)["containers"][0]["env"] == [{"name": "MODEL", "value": "large"}]


def test_another_claim_means_other_pods_and_another_count_does_not():
    other = replace(EMBEDDING, claim=Claim((Request("slice", (Ask("gpu-inference-large"),)),)))
    digests = {
        controller(one)["spec"]["template"]["metadata"]["annotations"]["tessera.dev/claim"]
        for one in (EMBEDDING, replace(EMBEDDING, replicas=5), other)
    }
    assert len(digests) == 2


def test_a_service_gives_a_device_back_before_it_asks_for_another():
    assert controller(EMBEDDING)["spec"]["strategy"]["rollingUpdate"] == {"maxSurge": 0, "maxUnavailable": 1}


def test_pods_together_are_drawn_to_the_clique_of_pods_that_the_same_workload_made():
    (term,) = pod(TRAINING)["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert term["topologyKey"] == "nvidia.com/gpu.clique"
    labels = controller(TRAINING)["spec"]["template"]["metadata"]["labels"]
    assert term["labelSelector"]["matchLabels"].items() <= labels.items()


def test_pods_together_find_each_other_also_under_a_name_label_of_their_own():
    named = replace(TRAINING, labels={"app.kubernetes.io/name": "other"})
    (term,) = pod(named)["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert term["labelSelector"]["matchLabels"] == {"app.kubernetes.io/name": "other"}


@ALL
def test_pods_keep_to_the_restricted_level_of_pod_security(workload):
    found = pod(workload)
    (container,) = found["containers"]
    assert found["securityContext"]["runAsNonRoot"]
    assert found["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}


def test_what_is_left_open_is_not_in_the_pod():
    assert not {"nodeSelector", "tolerations", "affinity", "restartPolicy"} & pod(EMBEDDING).keys()
    assert "runAsUser" not in pod(EMBEDDING)["securityContext"]
