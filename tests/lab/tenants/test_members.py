"""What members of a tenant may touch: their own namespace, and nothing of what limits it."""

import pytest

from tessera.dra.priorities import priority, priority_class
from tessera.tenants.quota import CLAIMS_KEY
from tests.lab.people import Person, path
from tests.lab.tenants.manifests import OFFERED, claim, deployment, device_class, old_binding, pod, template
from tests.waiting import wait_until

pytestmark = pytest.mark.lab


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda **where: claim("gpu-training-single", **where), id="claim"),
        pytest.param(lambda **where: template("gpu-training-single", **where), id="template"),
        pytest.param(pod, id="pod"),
        pytest.param(lambda **where: deployment(pod(**where)), id="deployment"),
    ],
)
def test_members_work_in_their_own_namespace_alone(member, make):
    for namespace in ("speech", "default"):
        assert "cannot create resource" in member.tries(make(namespace=namespace))[1]
    status, said = member.tries(make(namespace="legacy"))
    assert (status, said.partition("denied request: ")[2]) == (
        403,
        "namespace legacy is not of your tenant; work in: vision",
    )


def test_an_administrator_who_is_also_a_member_works_everywhere(lab, admin):
    both = Person(lab.kubeconfig, "ada", ("oidc:vision", "tessera:admins"))
    assert both.tries(pod(namespace="legacy")) == (201, "")


def test_somebody_of_two_tenants_works_in_both(lab, admin):
    both = Person(lab.kubeconfig, "sam", ("oidc:shared",))
    for namespace in ("speech", "team"):
        assert both.tries(claim("gpu-inference-large", namespace=namespace)) == (201, "")


def test_service_accounts_of_a_tenant_stay_at_home(lab, admin):
    account = "system:serviceaccount:vision:default"
    mine = Person(lab.kubeconfig, account, ("system:serviceaccounts", "system:serviceaccounts:vision"))
    binding = old_binding()
    binding["metadata"]["name"] = "account"
    binding["subjects"] = [{"kind": "ServiceAccount", "name": "default", "namespace": "vision"}]
    admin.apply(binding)
    wait_until(lambda: "work in: vision" in mine.tries(pod(namespace="legacy"))[1], "the refusal")


@pytest.mark.parametrize(
    ("kind", "name", "change"),
    [
        ("ResourceQuota", "tessera", {"spec": {"hard": {CLAIMS_KEY: "1000"}}}),
        ("LimitRange", "tessera", {"spec": {"limits": []}}),
        ("NetworkPolicy", "default-deny", {"spec": {"egress": [{}]}}),
        ("RoleBinding", "tessera-members", {"subjects": []}),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_members_see_their_limits_and_change_none(member, kind, name, change):
    there = member.get(kind, "vision", name)
    assert there["metadata"]["labels"] == {"tessera.dev/tenant": "vision"}
    assert "cannot patch resource" in member.patch(kind, "vision", name, change)[1]
    status, answer = member.send("DELETE", path(kind, "vision", name))
    assert (status, "cannot delete resource" in answer["message"]) == (403, True)
    fresh = {**there, "metadata": {"name": "mine", "namespace": "vision"}}
    assert "cannot create resource" in member.tries(fresh)[1]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"labels": {"tessera.dev/tenant": None}}, id="tenant"),
        pytest.param({"labels": {"pod-security.kubernetes.io/enforce": None}}, id="pod security"),
        pytest.param({"annotations": {"tessera.dev/classes": "gpu.nvidia.com"}}, id="grant"),
    ],
)
def test_members_see_what_is_granted_and_change_nothing_of_it(member, change):
    found = member.get("Namespace", "", "vision")["metadata"]["annotations"]
    assert found["tessera.dev/classes"] == "gpu-batch-preemptible,gpu-training-single"
    assert "cannot patch resource" in member.patch("Namespace", "", "vision", {"metadata": change})[1]


@pytest.mark.parametrize("label", [None, "speech"])
def test_not_even_an_administrator_makes_a_tenants_namespace_another_ones(admin, label):
    change = {"metadata": {"labels": {"tessera.dev/tenant": label}}}
    status, said = admin.patch("Namespace", "", "vision", change)
    assert (status, "stays vision as long as the namespace exists" in said) == (403, True)


def test_members_make_no_namespaces_and_no_rights(member):
    rights = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}
    wide = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "mine"}}
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "r", "namespace": "vision"},
    }
    for manifest in (
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "mine"}},
        {**wide, "roleRef": rights, "subjects": []},
        {**role, "kind": "RoleBinding", "roleRef": rights, "subjects": []},
        {**role, "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]},
        device_class("mine"),
        priority_class(priority("gpu-production")),
    ):
        assert "cannot create resource" in member.tries(manifest)[1]


def test_members_can_not_write_what_only_drivers_and_the_scheduler_write(member):
    assert member.create(claim("gpu-training-single", name="status"))[0] == 201
    change = {"status": {"allocation": {}}}
    said = member.patch("ResourceClaim", "vision", "status", change, "/status")[1]
    assert 'cannot patch resource "resourceclaims/status"' in said
    assert member.send("DELETE", path("ResourceClaim", "vision", "status"))[0] == 200
    assert member.send("POST", "/apis/resource.k8s.io/v1/resourceslices", {})[0] == 403


def test_members_see_classes_devices_and_priorities_but_no_nodes(member):
    assert {row["metadata"]["name"] for row in member.get("DeviceClass")["items"]} >= set(OFFERED)
    assert member.get("PriorityClass")["items"]
    assert member.send("GET", "/apis/resource.k8s.io/v1/resourceslices")[0] == 200
    assert member.send("GET", "/api/v1/nodes")[0] == 403
    assert member.send("GET", path("Pod", "speech"))[0] == 403
