"""What tenants may do, and every way around it, on a real API server, scheduler and controllers."""

import copy

import pytest

from tessera.dra.classes import device_classes, service_class
from tessera.dra.priorities import names as priority_names
from tessera.dra.priorities import priority, priority_class
from tessera.tenants.plan import shared_objects, tenant_objects
from tessera.tenants.quota import CLAIMS_KEY
from tessera.tenants.tenant import Tenant
from tests.lab.people import Person, path
from tests.waiting import wait_until

pytestmark = pytest.mark.lab

OFFERED = ("gpu-training-single", "gpu-training-rdma", "gpu-inference-large", "gpu-batch-preemptible")
VISION = Tenant(
    "vision",
    ("oidc:vision",),
    {"gpu-training-single": 4, "gpu-batch-preemptible": 2},
    {"gpu-batch-preemptible": 1},
    resources={"vpc.amazonaws.com/efa": 4},
)
SPEECH = Tenant("speech", ("oidc:speech", "oidc:shared"), {"gpu-inference-large": 1})
TEAM = Tenant("team", ("oidc:shared",), {"gpu-inference-large": 1})
TENANTS = (VISION, SPEECH, TEAM)
FORGED = {"resource.kubernetes.io/extended-resource-claim": "true"}
SAFE = {
    "allowPrivilegeEscalation": False,
    "runAsNonRoot": True,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}


@pytest.fixture(scope="module")
def admin(lab):
    """The platform's administrator, after everything that a stack with tenants makes was made."""
    person = Person(lab.kubeconfig)
    for name in OFFERED:
        for manifest in device_classes(service_class(name)):
            person.apply(manifest)
    for name in priority_names():
        person.apply(priority_class(priority(name)))
    for manifest in shared_objects(TENANTS):
        person.apply(manifest)
    for tenant in TENANTS:
        for manifest in tenant_objects(tenant, OFFERED, "1.36"):
            person.apply(manifest)
    for name in ("gpu.nvidia.com", "mig.nvidia.com"):
        person.apply(device_class(name))
    person.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "legacy"}})
    person.apply(old_binding())
    wait_until(lambda: all(map(in_force, refusals(lab, person))), "the policies in force")
    wait_until(lambda: quota(person)["hard"][CLAIMS_KEY] == "7", "the quota's first count")
    return person


def refusals(lab, admin):
    """Something that each policy refuses."""
    taken = {"metadata": {"labels": {"tessera.dev/tenant": None}}}
    vera = Person(lab.kubeconfig, "vera", ("oidc:vision",))
    return (
        lambda: admin.tries(claim("gpu.nvidia.com")),
        lambda: admin.tries(template("gpu.nvidia.com")),
        lambda: admin.tries(pod(nodeName="h100-0")),
        lambda: admin.patch("Namespace", "", "vision", taken, dryRun="All"),
        lambda: vera.tries(pod(namespace="legacy")),
    )


def in_force(tries):
    return "denied request" in tries()[1]


@pytest.fixture(scope="module")
def member(lab, admin):
    """Somebody of tenant vision."""
    return Person(lab.kubeconfig, "vera", ("oidc:vision", "system:authenticated"))


def device_class(name, **spec):
    selectors = [{"cel": {"expression": 'device.driver == "gpu.nvidia.com"'}}]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": selectors, **spec},
    }


def old_binding():
    """A right from before there were tenants."""
    group = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "oidc:vision"}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "admin"}
    metadata = {"name": "old", "namespace": "legacy"}
    kind = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding"}
    return {**kind, "metadata": metadata, "roleRef": role, "subjects": [group]}


def ask(name, **more):
    return {"exactly": {"deviceClassName": name, **more}}


def first_of(*names, **more):
    return {"firstAvailable": [{"name": f"a{at}", "deviceClassName": name, **more} for at, name in enumerate(names)]}


def claim(*asks, name="c", namespace="vision", labels=None, annotations=None):
    rows = [ask(one) if isinstance(one, str) else one for one in asks]
    requests = [{"name": f"r{at}", **row} for at, row in enumerate(rows)]
    metadata = {"name": name, "namespace": namespace, "labels": labels or {}, "annotations": annotations or {}}
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim"}
    return {**kind, "metadata": metadata, "spec": {"devices": {"requests": requests}}}


def template(*asks, name="t", namespace="vision", **inner):
    spec = {"metadata": inner, "spec": claim(*asks)["spec"]}
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate"}
    return {**kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def pod(name="p", namespace="vision", claims=(), resources=None, init=None, **spec):
    rows = [{"name": f"d{at}", **one} for at, one in enumerate(claims)]
    container = {"name": "a", "image": "a", "securityContext": SAFE}
    first = {**container, "resources": {**(resources or {}), "claims": [{"name": row["name"]} for row in rows]}}
    more = {"initContainers": [{**container, "name": "i", "resources": init}]} if init else {}
    whole = {"containers": [first], "resourceClaims": rows, **more, **spec}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": namespace}, "spec": whole}


def deployment(pod_manifest, name="d", replicas=1):
    labels = {"app": name}
    inner = {"metadata": {"labels": labels}, "spec": pod_manifest["spec"]}
    spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": inner}
    metadata = {"name": name, "namespace": pod_manifest["metadata"]["namespace"]}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def quota(person):
    return person.get("ResourceQuota", "vision", "tessera")["status"]


def amount(name):
    return {"limits": {name: "1"}, "requests": {name: "1"}}


def test_api_server_finds_nothing_to_warn_of_in_the_policies(admin):
    def checked():
        rows = admin.get("ValidatingAdmissionPolicy")["items"]
        ours = [row for row in rows if row["metadata"]["name"].endswith(".tenant.tessera.dev")]
        return [row.get("status", {}).get("typeChecking") for row in ours]

    wait_until(lambda: None not in checked(), "the check of the policies' types")
    assert checked() == [{}] * 5


NOT_GRANTED = [
    pytest.param("gpu.nvidia.com", id="driver's class"),
    pytest.param("mig.nvidia.com", id="driver's MIG class"),
    pytest.param("gpu-inference-large", id="class of another tenant"),
    pytest.param("gpu-training-rdma-nic", id="companion of another class"),
    pytest.param("no-such-class", id="class that does not exist yet"),
]


@pytest.mark.parametrize("make", [claim, template])
@pytest.mark.parametrize("name", NOT_GRANTED)
def test_a_class_that_is_not_granted_is_refused(member, make, name):
    status, said = member.tries(make("gpu-training-single", name))
    assert status == 403
    assert said.endswith(
        f"denied request: device class {name} is not granted to tenant vision; granted: gpu-batch-preemptible, "
        "gpu-training-single; name one of these, or have the class put into the tenant's quota"
    )


@pytest.mark.parametrize("make", [claim, template])
@pytest.mark.parametrize("name", NOT_GRANTED)
def test_no_alternative_may_name_a_class_that_is_not_granted(member, make, name):
    status, said = member.tries(make(first_of("gpu-training-single", name)))
    assert (status, f"device class {name} is not granted to tenant vision" in said) == (403, True)


def test_a_class_that_is_added_later_is_refused_until_it_is_granted(admin, member):
    later = "gpu-from-next-year"
    admin.apply(device_class(later, extendedResourceName="example.com/gpu"))
    assert "is not granted to tenant vision" in member.tries(claim(later))[1]
    assert "is not granted to tenant vision" in member.tries(template(later))[1]
    assert "is not granted to tenant vision" in member.tries(pod(resources=amount("example.com/gpu")))[1]
    path_of_grant = {"metadata": {"annotations": {"tessera.dev/classes": f"gpu-training-single,{later}"}}}
    before = admin.get("Namespace", "", "vision")["metadata"]["annotations"]
    admin.patch("Namespace", "", "vision", path_of_grant)
    wait_until(lambda: member.tries(claim(later))[0] == 201, "the grant in force")
    admin.patch("Namespace", "", "vision", {"metadata": {"annotations": before}})
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
@pytest.mark.parametrize("make", [claim, template])
def test_a_count_that_no_claim_can_hold_is_refused(member, make, request_):
    status, said = member.tries(make(request_))
    assert (status, "asks for more than 32 devices" in said) == (403, True)


@pytest.mark.parametrize("make", [claim, template])
def test_admin_access_is_refused_without_the_label_of_the_namespace(member, make):
    status, said = member.tries(make(ask("gpu-training-single", adminAccess=True)))
    assert status in (403, 422)
    assert "adminAccess" in said or "admin access" in said


@pytest.mark.parametrize("label", ["resource.kubernetes.io/admin-access", "resource.k8s.io/admin-access"])
def test_nobody_puts_the_label_of_admin_access_on_a_tenants_namespace(admin, member, label):
    change = {"metadata": {"labels": {label: "true"}}}
    assert 'cannot patch resource "namespaces"' in member.patch("Namespace", "", "vision", change)[1]
    assert "is not for namespaces of tenants" in admin.patch("Namespace", "", "vision", change)[1]
    made = {"name": "new", "labels": {"tessera.dev/tenant": "new", label: "true"}}
    assert "is not for namespaces" in admin.tries({"apiVersion": "v1", "kind": "Namespace", "metadata": made})[1]


def test_admin_access_is_refused_where_the_label_was_there_first(admin):
    """The label came while no policy looked; a claim is refused all the same."""
    binding = admin.get("ValidatingAdmissionPolicyBinding", "", "namespaces.tenant.tessera.dev")
    admin.send("DELETE", path("ValidatingAdmissionPolicyBinding", "", binding["metadata"]["name"]))
    change = {"metadata": {"labels": {"resource.kubernetes.io/admin-access": "true"}}}
    try:
        wait_until(lambda: admin.patch("Namespace", "", "team", change)[0] == 200, "a binding without force")
        asked = ask("gpu-inference-large", adminAccess=True)
        wait_until(
            lambda: "adminAccess shows devices that others hold" in admin.tries(claim(asked, namespace="team"))[1],
            "the policy's refusal",
        )
    finally:
        admin.patch("Namespace", "", "team", {"metadata": {"labels": dict.fromkeys(change["metadata"]["labels"])}})
        fresh = {key: binding[key] for key in ("apiVersion", "kind", "spec")}
        admin.apply({**fresh, "metadata": {"name": binding["metadata"]["name"]}})
        same = {"metadata": {"labels": {"resource.k8s.io/admin-access": "true"}}}
        wait_until(
            lambda: admin.patch("Namespace", "", "team", same, dryRun="All")[0] == 403, "the binding in force again"
        )


def test_forged_claims_for_extended_resources_are_refused(member):
    for manifest in (
        claim("gpu-training-single", annotations=FORGED),
        template("gpu-training-single", annotations=FORGED),
    ):
        status, said = member.tries(manifest)
        assert (status, "hides a claim from the quota" in said) == (403, True)


@pytest.mark.parametrize("kind", ["ResourceClaim", "ResourceClaimTemplate"])
def test_claims_and_templates_keep_what_they_say(member, kind):
    """Neither what they ask for, nor whose they are, nor which class they count for changes afterwards."""
    make = claim if kind == "ResourceClaim" else template
    name = kind.lower()
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


@pytest.mark.parametrize("make", [claim, template, pod, lambda **more: deployment(pod(**more))])
def test_members_work_in_their_own_namespace_alone(member, make):
    asked = () if make is pod or make.__name__ == "<lambda>" else ("gpu-training-single",)
    for namespace in ("speech", "default"):
        assert "cannot create resource" in member.tries(make(*asked, namespace=namespace))[1]
    status, said = member.tries(make(*asked, namespace="legacy"))
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


def test_a_namespace_without_grants_gets_nothing(admin):
    metadata = {"name": "bare", "labels": {"tessera.dev/tenant": "bare"}}
    admin.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
    said = admin.tries(claim("gpu-training-single", namespace="bare"))[1]
    assert "is not granted to tenant bare; granted: none" in said
    assert "granted: none" in admin.tries(pod(namespace="bare", resources=amount("nvidia.com/gpu")))[1]
    assert "granted: none" in admin.tries(pod(namespace="bare", priorityClassName="gpu-standard"))[1]


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


def test_what_is_no_longer_granted_can_still_end(admin, member):
    """Updates that take finalizers away must pass, or a claim would stay for ever."""
    assert member.create(claim("gpu-batch-preemptible", name="held"))[0] == 201
    assert member.create(pod("holder", claims=[{"resourceClaimName": "held"}]))[0] == 201
    wait_until(lambda: member.get("Pod", "vision", "holder")["status"]["phase"] == "Running", "the pod's start")
    before = admin.get("Namespace", "", "vision")["metadata"]["annotations"]
    admin.patch("Namespace", "", "vision", {"metadata": {"annotations": {"tessera.dev/classes": ""}}})
    try:
        wait_until(lambda: member.tries(claim("gpu-batch-preemptible"))[0] == 403, "the grant's end")
        for kind, name in (("Pod", "holder"), ("ResourceClaim", "held")):
            assert member.send("DELETE", path(kind, "vision", name))[0] == 200
        wait_until(lambda: not member.get("ResourceClaim", "vision")["items"], "the end of the claim")
    finally:
        admin.patch("Namespace", "", "vision", {"metadata": {"annotations": before}})
    wait_until(lambda: member.tries(claim("gpu-batch-preemptible"))[0] == 201, "the grant in force again")


def test_the_largest_objects_stay_within_what_the_api_server_spends_on_policies(admin, member):
    """32 requests of 8 alternatives each, and a pod of 200 containers: refused by the rules, not by their cost."""
    wide = [first_of(*["gpu-training-single"] * 7, "gpu.nvidia.com") for _ in range(32)]
    for make in (claim, template):
        status, said = member.tries(make(*copy.deepcopy(wide)))
        assert (status, "is not granted to tenant vision" in said) == (403, True)
    container = {"name": "a", "image": "a", "securityContext": SAFE, "resources": amount("nvidia.com/gpu")}
    many = [{**container, "name": f"c{at}"} for at in range(200)]
    status, said = member.tries(pod(containers=many))
    assert (status, "nvidia.com/gpu is not granted to tenant vision" in said) == (403, True)
