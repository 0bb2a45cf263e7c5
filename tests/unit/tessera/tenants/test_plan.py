"""What is made for tenants: the whole of it in golden files, and what must hold for every tenant."""

from hypothesis import given
from hypothesis import strategies as st

from tessera.dra.classes import names, quota_key, service_class
from tessera.tenants.plan import shared_objects, tenant_objects
from tessera.tenants.tenant import Network, Tenant

FULL = Tenant(
    "vision",
    ("oidc:vision", "oidc:research"),
    {"gpu-training-single": 4, "gpu-training-rdma": 2},
    {"gpu-training-single": 2},
    priorities=("gpu-production",),
    resources={"vpc.amazonaws.com/efa": 4},
    cpu="64",
    memory="512Gi",
    network=Network(("10.1.0.0/16",), (443,), ("0.0.0.0/0",)),
)
OFFERED = ("gpu-training-single", "gpu-training-rdma", "gpu-inference-large")
COUNTS = st.dictionaries(st.sampled_from(names()), st.integers(0, 10**6))


def kinds(manifests):
    return [row["kind"] for row in manifests]


def of_kind(kind, manifests):
    return next(row for row in manifests if row["kind"] == kind)


def hard(tenant):
    return of_kind("ResourceQuota", tenant_objects(tenant, names(), "1.36"))["spec"]["hard"]


def test_objects_of_a_tenant(golden):
    golden("tenant", tenant_objects(FULL, OFFERED, "1.36"))


def test_objects_of_all_tenants(golden):
    golden("shared", shared_objects([FULL, Tenant("speech", ("oidc:research",))]))


def test_a_cluster_without_tenants_gets_no_rules():
    assert shared_objects([]) == []


def test_the_namespace_comes_first_and_rights_come_last():
    own = kinds(tenant_objects(FULL, OFFERED, "1.36"))
    assert (own[0], own[-1]) == ("Namespace", "RoleBinding")
    shared = kinds(shared_objects([FULL]))
    assert shared.index("ValidatingAdmissionPolicyBinding") < shared.index("ClusterRoleBinding")


def test_a_tenant_without_a_quota_may_claim_nothing():
    bare = Tenant("bare", ("g",))
    (namespace, *_) = tenant_objects(bare, OFFERED, "1.36")
    assert namespace["metadata"]["annotations"] == dict.fromkeys(
        ("tessera.dev/classes", "tessera.dev/priorities", "tessera.dev/resources"), ""
    )
    assert set(hard(bare).values()) == {"0"}


def test_a_quota_of_nothing_grants_nothing_but_what_is_lent_to_it_is_granted():
    found = Tenant("a", ("g",), {"gpu-training-single": 0, "gpu-inference-large": 0}, {"gpu-inference-large": 1})
    assert found.classes == ("gpu-inference-large",)
    assert found.granted_priorities == ("gpu-production",)


def test_the_metadata_address_of_clouds_stays_closed_when_a_whole_network_is_open():
    rows = tenant_objects(Tenant("a", ("g",), network=Network(egress=("0.0.0.0/0", "::/0", "10.0.0.0/8"))), (), "1.36")
    policy = next(row for row in rows if row["metadata"]["name"] == "allow-egress")
    assert [one["ipBlock"] for one in policy["spec"]["egress"][0]["to"]] == [
        {"cidr": "0.0.0.0/0", "except": ["169.254.169.254/32"]},
        {"cidr": "::/0", "except": ["fd00:ec2::254/128"]},
        {"cidr": "10.0.0.0/8"},
    ]


def test_an_empty_list_closes_the_api_server():
    rows = tenant_objects(Tenant("a", ("g",), network=Network(api_server=())), (), "1.36")
    assert "allow-api-server" not in {row["metadata"]["name"] for row in rows}


@given(COUNTS, COUNTS)
def test_the_quota_of_each_class_and_companion_is_the_sum_of_owned_and_lent(quota, borrowing):
    tenant = Tenant("a", ("g",), quota, borrowing)
    found = hard(tenant)
    for name in names():
        wanted = quota[name] + borrowing.get(name, 0) if name in quota else 0
        assert [found[key] for key in service_class(name).quota_keys] == [str(wanted)] * len(
            service_class(name).quota_keys
        )
    assert found["count/resourceclaims.resource.k8s.io"] == str(sum(tenant.most.values()))


@given(COUNTS)
def test_granted_are_exactly_the_device_classes_that_the_quota_has_devices_of(quota):
    tenant = Tenant("a", ("g",), quota)
    found = hard(tenant)
    assert set(tenant.device_classes) == {
        name for level in names() for name in service_class(level).device_class_names if found[quota_key(name)] != "0"
    }


def test_no_right_is_a_wildcard_and_none_writes_what_limits_a_tenant():
    limits = {
        "resourcequotas",
        "limitranges",
        "networkpolicies",
        "namespaces",
        "roles",
        "rolebindings",
        "deviceclasses",
    }
    for role in (row for row in shared_objects([FULL]) if row["kind"] == "ClusterRole"):
        for rule in role["rules"]:
            assert "*" not in (*rule["apiGroups"], *rule["resources"], *rule["verbs"])
            if limits & set(rule["resources"]):
                assert set(rule["verbs"]) <= {"get", "list", "watch"}


def test_a_group_with_quotes_in_its_name_stays_text():
    home = shared_objects([Tenant("a", ('x"]} || true || {"y', "größe"))])
    policy = next(row for row in home if row["metadata"]["name"] == "home.tenant.tessera.dev")
    assert r'"x\"]} || true || {\"y": ["a"]' in policy["spec"]["variables"][0]["expression"]
    assert '"größe": ["a"]' in policy["spec"]["variables"][0]["expression"]
