"""What tenants may claim: granted classes alone, in every form of a claim, on a real API server."""

from contextlib import contextmanager

import pytest

from tests.lab.people import path
from tests.lab.tenants.manifests import FORGED, SAFE, amount, ask, claim, device_class, first_of, pod, template
from tests.waiting import wait_until

pytestmark = pytest.mark.lab

both_kinds = pytest.mark.parametrize("make", [claim, template])


@contextmanager
def granted(admin, classes):
    """Tenant vision with other classes for a while."""
    before = admin.get("Namespace", "", "vision")["metadata"]["annotations"]
    admin.patch("Namespace", "", "vision", {"metadata": {"annotations": {"tessera.dev/classes": classes}}})
    try:
        yield
    finally:
        admin.patch("Namespace", "", "vision", {"metadata": {"annotations": before}})


NOT_GRANTED = [
    pytest.param("gpu.nvidia.com", id="driver's class"),
    pytest.param("mig.nvidia.com", id="driver's MIG class"),
    pytest.param("gpu-inference-large", id="class of another tenant"),
    pytest.param("gpu-training-rdma-nic", id="companion of another class"),
    pytest.param("no-such-class", id="class that does not exist yet"),
]


@both_kinds
@pytest.mark.parametrize("name", NOT_GRANTED)
@pytest.mark.parametrize(
    "asked", [pytest.param(tuple, id="request"), pytest.param(lambda names: [first_of(*names)], id="alternative")]
)
def test_a_class_that_is_not_granted_is_refused(member, make, name, asked):
    status, said = member.tries(make(*asked(["gpu-training-single", name])))
    assert status == 403
    assert said.endswith(
        f"denied request: device class {name} is not granted to tenant vision; granted: gpu-batch-preemptible, "
        "gpu-training-single; name one of these, or have the class put into the tenant's quota"
    )


def test_a_class_that_is_added_later_is_refused_until_it_is_granted(admin, member):
    later = "gpu-from-next-year"
    admin.apply(device_class(later, extendedResourceName="example.com/gpu"))
    assert "is not granted to tenant vision" in member.tries(claim(later))[1]
    assert "is not granted to tenant vision" in member.tries(template(later))[1]
    assert "is not granted to tenant vision" in member.tries(pod(resources=amount("example.com/gpu")))[1]
    with granted(admin, f"gpu-training-single,{later}"):
        wait_until(lambda: member.tries(claim(later))[0] == 201, "the grant in force")
    wait_until(lambda: member.tries(claim(later))[0] == 403, "the grant's end")


def test_administrators_are_bound_by_grants_too(admin):
    assert "is not granted to tenant vision" in admin.tries(claim("gpu.nvidia.com"))[1]


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(ask("gpu-training-single", count=33), id="exactly"),
        pytest.param(first_of("gpu-training-single", count=2**62), id="alternative"),
    ],
)
@both_kinds
def test_a_count_that_no_claim_can_hold_is_refused(member, make, request_):
    status, said = member.tries(make(request_))
    assert (status, "asks for more than 32 devices" in said) == (403, True)


@both_kinds
def test_forged_claims_for_extended_resources_are_refused(member, make):
    status, said = member.tries(make("gpu-training-single", annotations=FORGED))
    assert (status, "hides a claim from the quota" in said) == (403, True)


@both_kinds
def test_claims_and_templates_keep_what_they_say(member, make):
    """Neither what they ask for, nor whose they are, nor which class they count for changes afterwards."""
    name, kind = "kept", make("gpu-training-single")["kind"]
    assert member.create(make("gpu-training-single", name=name))[0] == 201
    refused = {
        "class that the claim does not ask for": {"metadata": {"labels": {"tessera.dev/class": "gpu-inference-large"}}},
        "this is a namespace of tenant vision": {"metadata": {"labels": {"tessera.dev/tenant": "speech"}}},
        "hides a claim from the quota": {"metadata": {"annotations": FORGED}},
        "immutable": {"spec": make("gpu.nvidia.com")["spec"]},
    }
    for said, change in refused.items():
        assert said in member.patch(kind, "vision", name, change)[1]
    own = {"metadata": {"labels": {"tessera.dev/class": "gpu-training-single", "team": "blue"}}}
    assert member.patch(kind, "vision", name, own)[0] == 200
    assert member.send("DELETE", path(kind, "vision", name))[0] == 200


def test_a_namespace_without_grants_gets_nothing(admin):
    metadata = {"name": "bare", "labels": {"tessera.dev/tenant": "bare"}}
    admin.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
    said = admin.tries(claim("gpu-training-single", namespace="bare"))[1]
    assert "is not granted to tenant bare; granted: none" in said
    assert "granted: none" in admin.tries(pod(namespace="bare", resources=amount("nvidia.com/gpu")))[1]
    assert "granted: none" in admin.tries(pod(namespace="bare", priorityClassName="gpu-standard"))[1]


def test_what_is_no_longer_granted_can_still_end(admin, member):
    """Updates that take finalizers away must pass, or a claim would stay for ever."""
    assert member.create(claim("gpu-batch-preemptible", name="held"))[0] == 201
    assert member.create(pod("holder", claims=[{"resourceClaimName": "held"}]))[0] == 201
    wait_until(lambda: member.get("Pod", "vision", "holder")["status"]["phase"] == "Running", "the pod's start")
    with granted(admin, ""):
        wait_until(lambda: member.tries(claim("gpu-batch-preemptible"))[0] == 403, "the grant's end")
        for kind, name in (("Pod", "holder"), ("ResourceClaim", "held")):
            assert member.send("DELETE", path(kind, "vision", name))[0] == 200
        wait_until(lambda: not member.get("ResourceClaim", "vision")["items"], "the end of the claim")
    wait_until(lambda: member.tries(claim("gpu-batch-preemptible"))[0] == 201, "the grant in force again")


@both_kinds
def test_the_largest_claim_stays_within_what_the_api_server_spends_on_policies(member, make):
    """32 requests of 8 alternatives each: refused by the rules, not by their cost."""
    status, said = member.tries(make(*(first_of(*["gpu-training-single"] * 7, "gpu.nvidia.com") for _ in range(32))))
    assert (status, "is not granted to tenant vision" in said) == (403, True)


def test_the_largest_pod_stays_within_it_too(member):
    container = {"name": "a", "image": "a", "securityContext": SAFE, "resources": amount("nvidia.com/gpu")}
    many = [{**container, "name": f"c{at}"} for at in range(200)]
    status, said = member.tries(pod(containers=many))
    assert (status, "nvidia.com/gpu is not granted to tenant vision" in said) == (403, True)


def test_api_server_finds_nothing_to_warn_of_in_the_policies(admin):
    def checked():
        rows = admin.get("ValidatingAdmissionPolicy")["items"]
        ours = [row for row in rows if row["metadata"]["name"].endswith(".tenant.tessera.dev")]
        return [row.get("status", {}).get("typeChecking") for row in ours]

    wait_until(lambda: None not in checked(), "the check of the policies' types")
    assert checked() == [{}] * 5
