"""What tenants may write into pods: no way around claims, priorities, the scheduler and the node's borders."""

import pytest

from tests.lab.people import path
from tests.lab.tenants.manifests import SAFE, amount, pod

pytestmark = pytest.mark.lab

EXTENDED = [
    "nvidia.com/gpu",
    "nvidia.com/mig-1g.10gb",
    "deviceclass.resource.kubernetes.io/gpu-training-single",
    "amd.com/gpu",
]


@pytest.mark.parametrize("where", ["resources", "init"])
@pytest.mark.parametrize("name", EXTENDED)
def test_pods_name_no_extended_resource(member, where, name):
    status, said = member.tries(pod(**{where: amount(name)}))
    assert (status, said.partition("denied request: ")[2]) == (
        403,
        f"extended resource {name} is not granted to tenant vision; granted: vpc.amazonaws.com/efa; "
        "claim devices of a class instead",
    )


def test_pods_name_an_extended_resource_that_is_granted_up_to_its_quota(member):
    assert member.tries(pod(resources=amount("vpc.amazonaws.com/efa"))) == (201, "")
    many = {"limits": {"vpc.amazonaws.com/efa": "5"}}
    assert "limited: requests.vpc.amazonaws.com/efa=4" in member.tries(pod(resources=many))[1]


def test_neither_the_whole_pod_nor_ephemeral_containers_name_an_extended_resource(member):
    whole = {
        "containers": [{"name": "a", "image": "a", "securityContext": SAFE}],
        "resources": amount("nvidia.com/gpu"),
    }
    assert member.tries({**pod(), "spec": whole})[0] in (403, 422)
    assert member.create(pod("debugged"))[0] == 201
    extra = {"name": "e", "image": "e", "securityContext": SAFE, "resources": amount("nvidia.com/gpu")}
    change = {"spec": {"ephemeralContainers": [extra]}}
    status, said = member.patch("Pod", "vision", "debugged", change, "/ephemeralcontainers")
    assert (status, "resources" in said) == (422, True)
    assert member.send("DELETE", path("Pod", "vision", "debugged"))[0] == 200


@pytest.mark.parametrize("name", ["system-node-critical", "system-cluster-critical", "gpu-production"])
def test_pods_name_no_priority_that_is_not_granted(member, name):
    status, said = member.tries(pod(priorityClassName=name))
    assert (status, said.partition("denied request: ")[2]) == (
        403,
        f"priority class {name} is not granted to tenant vision; granted: gpu-preemptible, gpu-standard; "
        "name one of these, or none",
    )


def test_pods_may_name_granted_priorities_or_none(member):
    for spec in ({}, {"priorityClassName": "gpu-standard"}, {"priorityClassName": "gpu-preemptible"}):
        assert member.tries(pod(**spec)) == (201, "")


def test_pods_do_not_pass_the_scheduler_by(member):
    assert "passes the scheduler by" in member.tries(pod(nodeName="h100-0"))[1]
    bind = {
        "apiVersion": "v1",
        "kind": "Binding",
        "metadata": {"name": "p"},
        "target": {"kind": "Node", "name": "h100-0"},
    }
    status, answer = member.send("POST", path("Pod", "vision", "p") + "/binding", bind)
    assert (status, 'cannot create resource "pods/binding"' in answer["message"]) == (403, True)


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param({"hostNetwork": True}, id="host network"),
        pytest.param({"volumes": [{"name": "h", "hostPath": {"path": "/dev"}}]}, id="host path"),
        pytest.param(
            {"containers": [{"name": "a", "image": "a", "securityContext": {"capabilities": {"add": ["SYS_ADMIN"]}}}]},
            id="capability",
        ),
    ],
)
def test_pods_that_reach_for_the_node_are_refused(member, spec):
    status, said = member.tries(pod(**spec))
    assert (status, 'violates PodSecurity "restricted:v1.36"' in said) == (403, True)


def test_privileged_pods_are_refused(member):
    container = {"name": "a", "image": "a", "securityContext": {**SAFE, "privileged": True}}
    status, said = member.tries(pod(containers=[container]))
    assert status in (403, 422)
    assert "privileged" in said
