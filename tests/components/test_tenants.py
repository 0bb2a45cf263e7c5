"""Tenants through the real engine, onto a real API server, and away again."""

import pytest

from lab.client import Client
from tests.components.project import Project

pytestmark = [pytest.mark.engine, pytest.mark.lab]

PROGRAM = """
import pulumi
from components.catalogue import Catalogue, CatalogueArgs
from components.lab import LabCluster, LabClusterArgs
from components.tenants import Tenant, TenantArgs, TenantPolicies, TenantPoliciesArgs
from tessera.dra.classes import service_class
from tessera.spec.tenant import Tenant as Row

config, labels = pulumi.Config("tessera"), {"tessera.dev/stack": "lab"}
tenants = [Row.model_validate(row).plain() for row in config.require_object("tenants")]
classes = config.require_object("classes")
cluster = LabCluster("lab", LabClusterArgs("1.36", [{"name": "h100", "board": "hgx-h100", "size": 1}]))
Catalogue("catalogue", CatalogueArgs([service_class(name) for name in classes], cluster.child_options, labels))
policies = TenantPolicies("tenants", TenantPoliciesArgs(tenants, cluster.child_options, labels))
for tenant in tenants:
    Tenant(tenant.name, TenantArgs(tenant, classes, "1.36", policies, cluster.child_options, labels))
"""
CLASSES = ["gpu-training-single", "gpu-training-rdma"]
SHARED = (
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
)


def tenant(name, quota):
    return {"name": name, "groups": [f"oidc:{name}"], "quota": quota}


@pytest.fixture
def project(make_project) -> Project:
    made = make_project({"classes": CLASSES, "tenants": [tenant("vision", {"gpu-training-single": 2})]})
    (made.folder / "__main__.py").write_text(PROGRAM)
    return made


def ours(client):
    """Names of what tenants bring for the whole cluster."""
    found = {row["metadata"]["name"] for path in SHARED for row in client.items(path)}
    return {name for name in found if name.startswith("tessera:tenant-") or name.endswith(".tenant.tessera.dev")}


def hard(client, namespace):
    return client.get(f"/api/v1/namespaces/{namespace}/resourcequotas/tessera")["spec"]["hard"]


def test_tenants_come_change_and_go(project):
    key = "gpu-training-single.deviceclass.resource.k8s.io/devices"
    project.up()
    project.unchanged()
    client = Client.of(project.home)
    assert hard(client, "vision")[key] == "2"
    assert len(ours(client)) == 7
    labels = client.get("/api/v1/namespaces/vision")["metadata"]["labels"]
    assert (labels["tessera.dev/tenant"], labels["tessera.dev/stack"]) == ("vision", "lab")

    more = [tenant("vision", {"gpu-training-single": 3}), tenant("speech", {"gpu-training-rdma": 1})]
    project.write({"classes": CLASSES, "tenants": more})
    assert " replaced" not in project.up()
    project.unchanged()
    assert hard(client, "vision")[key] == "3"
    assert hard(client, "speech")["gpu-training-rdma-nic.deviceclass.resource.k8s.io/devices"] == "1"

    project.write({"classes": CLASSES, "tenants": more[1:]})
    project.up()
    names = {row["metadata"]["name"] for row in client.items("/api/v1/namespaces")}
    assert ("vision" in names, "speech" in names) == (False, True)

    project.write({"classes": CLASSES, "tenants": []})
    project.up()
    project.unchanged()
    assert ours(client) == set()
    assert "speech" not in {row["metadata"]["name"] for row in client.items("/api/v1/namespaces")}

    project.destroy()
    assert project.export() == {}
    assert not project.home.root.exists()
