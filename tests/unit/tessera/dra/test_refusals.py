"""What was never made, and why: messages of the real API server, in words."""

import pytest

from tessera.dra.allocations import allocations
from tessera.dra.refusals import refusal
from tessera.dra.seen import Seen

KEY = "gpu-inference-large.deviceclass.resource.k8s.io/devices"
QUOTA = f"exceeded quota: tenant, requested: {KEY}=1, used: {KEY}=8, limited: {KEY}=8"
CLAIM = f'PodResourceClaim gpu: create ResourceClaim : resourceclaims.resource.k8s.io "p-gpu-x" is forbidden: {QUOTA}'


def pod(name, uid):
    entry = {"name": "gpu", "resourceClaimTemplateName": "gpu"}
    return {"metadata": {"name": name, "namespace": "ai", "uid": uid}, "spec": {"resourceClaims": [entry]}}


def event(message, reason="FailedResourceClaimCreation", at="2026-11-30T10:00:00Z", **of):
    return {"reason": reason, "message": message, "lastTimestamp": at, "involvedObject": {"namespace": "ai", **of}}


@pytest.mark.parametrize(
    ("message", "why"),
    [
        pytest.param(CLAIM, "quota of ai: gpu-inference-large asked 1, used 8 of 8", id="claims of a class"),
        pytest.param(
            "exceeded quota: q, requested: requests.nvidia.com/gpu=2, used: requests.nvidia.com/gpu=7, "
            "limited: requests.nvidia.com/gpu=8",
            "quota of ai: nvidia.com/gpu asked 2, used 7 of 8",
            id="extended resource",
        ),
        pytest.param(
            "exceeded quota: q, requested: requests.deviceclass.resource.kubernetes.io/big=1, "
            "used: requests.deviceclass.resource.kubernetes.io/big=0, "
            "limited: requests.deviceclass.resource.kubernetes.io/big=0",
            "quota of ai: big asked 1, used 0 of 0",
            id="class as an extended resource",
        ),
        pytest.param(
            'pods "p" is forbidden: exceeded quota: q, requested: requests.cpu=9,requests.memory=1Gi, '
            "used: requests.cpu=90,requests.memory=2Gi, limited: requests.cpu=96,requests.memory=1Ti",
            "quota of ai: requests.cpu asked 9, used 90 of 96; requests.memory asked 1Gi, used 2Gi of 1Ti",
            id="cpu and memory",
        ),
        pytest.param(
            "(combined from similar events): " + CLAIM,
            "quota of ai: gpu-inference-large asked 1, used 8 of 8",
            id="combined event",
        ),
        pytest.param("something new", "not made: something new", id="a message in another form"),
    ],
)
def test_a_refusal_reads_as_class_and_numbers(message, why):
    assert refusal(message, "ai").why == why


def test_a_pod_whose_claim_was_refused_is_a_row_with_the_class():
    seen = Seen([], [pod("p", "1")], [], [], [event(CLAIM, uid="1", kind="Pod", name="p")])
    (row,) = allocations(seen)
    assert (row.pods, row.state, row.device_class) == (("p",), "refused", "gpu-inference-large")
    assert row.why == "quota of ai: gpu-inference-large asked 1, used 8 of 8"


def test_the_last_refusal_counts():
    later = CLAIM.replace("=8, limited", "=7, limited")
    events = [event(later, uid="1", at="2026-11-30T11:00:00Z"), event(CLAIM, uid="1")]
    (row,) = allocations(Seen([], [pod("p", "1")], [], [], events))
    assert row.why.endswith("used 7 of 8")


def test_a_pod_without_a_claim_yet_waits():
    (row,) = allocations(Seen([], [pod("p", "1")], [], [], []))
    assert (row.state, row.why) == ("waiting", "the claim is not made yet")


def test_who_can_not_read_events_is_told_that_the_reason_is_unknown():
    (row,) = allocations(Seen([], [pod("p", "1")], [], [], None))
    assert "unknown" in row.why


@pytest.mark.parametrize(("have", "rows"), [(1, [3]), (4, [])], ids=["lacks three", "has all"])
def test_a_controller_whose_pods_were_refused_says_how_many_it_lacks(have, rows):
    said = 'pods "p" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1'
    events = [event(f"Error creating: {said}", "FailedCreate", uid="7", kind="ReplicaSet", name="web-1")]
    controller = {"metadata": {"uid": "7", "name": "web-1"}, "spec": {"replicas": 4}, "status": {"replicas": have}}
    found = allocations(Seen([], [], [], [], events, [controller]))
    assert [row.pods_missing for row in found] == rows
