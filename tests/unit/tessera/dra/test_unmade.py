"""Pods whose claim was never made, and controllers that lack pods: a row each, with the reason."""

import pytest

from tessera.dra.allocations import allocations
from tessera.dra.seen import Seen
from tessera.dra.slices import node_slices
from tessera.dra.unmade import lacks
from tessera.hardware.boards import board

GPU = 'device.driver == "gpu.nvidia.com"'
CLASSES = [
    {
        "metadata": {"name": "any"},
        "spec": {"extendedResourceName": "nvidia.com/gpu", "selectors": [{"cel": {"expression": GPU}}]},
    }
]
FULL = "0/1 nodes are available: 1 cannot allocate all claims. still not schedulable"
REFUSED = 'Error creating: pods "web-x" is forbidden: '
QUOTA = "exceeded quota: q, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=8, "
EARLY, LATE = "2026-11-30T10:00:00Z", "2026-11-30T11:00:00Z"


def pod(name="p", said=None, node="", phase="Pending", made=None, owner=None, **spec):
    told = [] if said is None else [{"type": "PodScheduled", "status": "False", "message": said}]
    metadata = {"name": name, "namespace": "ai", "uid": name, "creationTimestamp": EARLY}
    if owner:
        metadata |= {"ownerReferences": [{"kind": "ReplicaSet", "name": "web-1", "uid": owner}]}
    status = {"phase": phase, "conditions": told, **({"extendedResourceClaimStatus": made} if made else {})}
    return {"metadata": metadata, "spec": {"nodeName": node, **spec}, "status": status}


def asks(**limits):
    return {"containers": [{"name": "a", "resources": {"limits": limits}}]}


def naming(claim):
    return {"resourceClaims": [{"name": "gpu", "resourceClaimName": claim}]}


def from_template():
    return {"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]}


def event(message, at=EARLY, reason="FailedCreate", kind="ReplicaSet", uid="7", name="web-1"):
    of = {"namespace": "ai", "kind": kind, "uid": uid, "name": name}
    return {"reason": reason, "message": message, "lastTimestamp": at, "involvedObject": of}


def look(*pods, events=(), controllers=(), claims=(), slices=()):
    return allocations(Seen(list(claims), list(pods), list(slices), CLASSES, list(events), controllers))


def told(*pods, **more):
    return [(row.state, row.reason, row.why) for row in look(*pods, **more)]


def test_a_claim_that_a_pod_names_and_nobody_made_is_missed_by_name():
    (row,) = look(pod(**naming("cache")))
    assert (row.claim, row.reason, row.why) == ("cache", "no such claim", "claim cache does not exist in ai")


def test_a_template_that_is_not_there_is_wrong_and_not_forbidden():
    said = 'PodResourceClaim gpu: resource claim template "gpu": resourceclaimtemplate "gpu" not found'
    missing = event(said, reason="FailedResourceClaimCreation", kind="Pod", uid="p", name="p")
    assert told(pod(**from_template()), events=[missing]) == [
        ("waiting", "no template", "there is no ResourceClaimTemplate gpu in ai")
    ]


@pytest.mark.parametrize("resource", ["nvidia.com/gpu", "deviceclass.resource.kubernetes.io/any"])
def test_a_pod_that_asks_by_an_extended_resource_waits_for_its_class(resource):
    slices = node_slices("n", board("hgx-h100"), "dra")
    (row,) = look(pod(said=FULL, **asks(**{resource: "9"})), slices=slices)
    assert (row.device_class, row.why) == ("any", "asks 9 on one node; no node has more than 8 that match")


@pytest.mark.parametrize(
    "pods",
    [
        pytest.param([pod(**asks(**{"vendor.example/fpga": "1"}))], id="a resource of no class"),
        pytest.param([pod(**asks(**{"nvidia.com/gpu": "0"}))], id="none of a resource"),
        pytest.param([pod(node="n", **from_template())], id="a pod that has a node"),
        pytest.param([pod(phase="Failed", **naming("cache"))], id="a pod that has ended"),
        pytest.param(
            [pod(made={"resourceClaimName": "c"}, **asks(**{"nvidia.com/gpu": "1"}))], id="a claim that was made"
        ),
    ],
)
def test_what_waits_for_no_claim_has_no_row(pods):
    assert look(*pods) == []


@pytest.mark.parametrize(
    ("spec", "status", "missing"),
    [
        pytest.param({"replicas": 4}, {"replicas": 1}, 3, id="replicas"),
        pytest.param({"replicas": 4}, {}, 4, id="replicas without a status"),
        pytest.param({"replicas": 1}, {"replicas": 3}, 0, id="replicas on their way down"),
        pytest.param({"parallelism": 4, "completions": 10}, {"active": 1, "succeeded": 2}, 3, id="job"),
        pytest.param({"parallelism": 4, "completions": 10}, {"active": 1, "succeeded": 8}, 1, id="end of a job"),
        pytest.param({"parallelism": 4}, {"active": 4}, 0, id="job that has all"),
        pytest.param({}, {}, 1, id="job of one pod"),
        pytest.param({"parallelism": 4, "suspend": True}, {}, 0, id="suspended job"),
        pytest.param({"parallelism": 4}, {"conditions": [{"type": "Failed"}]}, 0, id="failed job"),
        pytest.param({"parallelism": 4}, {"conditions": [{"type": "Complete"}]}, 0, id="complete job"),
    ],
)
def test_a_controller_lacks_what_it_wants_and_does_not_have(spec, status, missing):
    assert lacks({"spec": spec, "status": status}) == missing


def test_a_deployment_whose_pods_are_refused_is_a_row_of_its_name_and_class():
    refusal = event(REFUSED + QUOTA + "limited: requests.nvidia.com/gpu=8")
    labels = {"pod-template-hash": "1"}
    web = {"metadata": {"uid": "7", "name": "web-1", "labels": labels}, "spec": {"replicas": 3}, "status": {}}
    (row,) = look(events=[refusal], controllers=[web])
    assert (row.workload, row.device_class, row.state, row.pods_missing) == ("web", "any", "refused", 3)
    assert row.why == "quota of ai: nvidia.com/gpu asked 1, used 8 of 8"


@pytest.mark.parametrize(
    ("said", "controllers"),
    [
        pytest.param(REFUSED + "policy", [], id="a controller that is gone"),
        pytest.param("Error creating: etcdserver: request timed out", None, id="a fault that passes"),
    ],
)
def test_what_was_refused_no_longer_or_never_has_no_row(said, controllers):
    assert look(events=[event(said)], controllers=controllers) == []


@pytest.mark.parametrize(("at", "missing"), [(LATE, [1]), ("2026-11-30T09:00:00Z", [])], ids=["since", "before"])
def test_a_controller_that_can_not_be_read_lacks_a_pod_unless_it_made_one_since(at, missing):
    rows = look(pod(node="n", owner="7"), events=[event(REFUSED + "policy", at)], controllers=None)
    assert [row.pods_missing for row in rows] == missing
