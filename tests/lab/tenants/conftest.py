"""A lab with three tenants, one for all tests of this folder; who leaves something behind takes it away."""

import pytest

from lab import lifecycle
from tessera.dra.classes import device_classes, service_class
from tessera.dra.priorities import names as priority_names
from tessera.dra.priorities import priority, priority_class
from tessera.tenants.plan import shared_objects, tenant_objects
from tessera.tenants.quota import CLAIMS_KEY
from tessera.tenants.tenant import Tenant
from tests.lab.conftest import SPEC
from tests.lab.people import Person
from tests.lab.tenants.manifests import OFFERED, claim, device_class, old_binding, pod, template
from tests.waiting import wait_until

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


@pytest.fixture(scope="package")
def lab(tmp_path_factory):
    """A running lab of two HGX H100 nodes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TESSERA_HOME", str(tmp_path_factory.mktemp("home")))
        yield lifecycle.up(SPEC)
        lifecycle.down("lab")


@pytest.fixture(scope="package")
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
    wait_until(
        lambda: person.get("ResourceQuota", "vision", "tessera")["status"]["hard"][CLAIMS_KEY] == "7",
        "the quota's first count",
    )
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


@pytest.fixture(scope="package")
def member(lab, admin):
    """Somebody of tenant vision."""
    return Person(lab.kubeconfig, "vera", ("oidc:vision", "system:authenticated"))
