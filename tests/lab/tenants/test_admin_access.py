"""Admin access, which shows devices that others hold: not in a tenant's namespace, whatever its labels."""

import pytest

from tests.lab.people import path
from tests.lab.tenants.manifests import ask, claim, template
from tests.waiting import wait_until

pytestmark = pytest.mark.lab


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
