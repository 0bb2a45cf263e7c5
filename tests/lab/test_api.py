"""The lab's API server answers as a default cluster of its version does."""

import json
import ssl
import urllib.error
import urllib.request

import pytest
import yaml

from lab.kubeconfig import server
from lab.parts import API
from tessera.dra.classes import device_classes, names, service_class
from tessera.dra.slices import node_slices
from tessera.hardware.boards import board
from tests.lab.kubectl import kubectl

pytestmark = pytest.mark.lab


def test_version_is_the_pinned_one(lab):
    assert json.loads(kubectl(lab.home, "version", "-o", "json"))["serverVersion"]["gitVersion"] == "v1.36.3"


def test_user_is_an_admin_by_rbac_and_not_by_bypass(lab):
    who = kubectl(lab.home, "auth", "whoami")
    assert "tessera:admins" in who
    assert "system:masters" not in who
    assert kubectl(lab.home, "auth", "can-i", "*", "*").strip() == "yes"


def test_simulator_may_do_no_more_than_kubelets(lab):
    for words in (["create", "deployments"], ["get", "secrets"], ["create", "clusterrolebindings"]):
        assert kubectl(lab.home, "auth", "can-i", *words, identity="kwok", fails=True).startswith("no")


def test_anonymous_requests_are_refused(lab):
    context = ssl.create_default_context(cafile=lab.home.pki / "ca.crt")
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(f"{server(lab.record.ports[API])}/api/v1/nodes", context=context)


def test_beta_versions_of_dra_are_not_served(lab):
    old = {"apiVersion": "resource.k8s.io/v1beta1", "kind": "DeviceClass", "metadata": {"name": "old"}, "spec": {}}
    said = kubectl(lab.home, "apply", "-f", "-", stdin=json.dumps(old), fails=True)
    assert 'no matches for kind "DeviceClass" in version "resource.k8s.io/v1beta1"' in said


@pytest.mark.parametrize("name", names())
def test_api_server_accepts_every_class_of_the_catalogue(lab, name):
    manifest = yaml.safe_dump_all(device_classes(service_class(name)))
    assert "created" in kubectl(lab.home, "create", "--dry-run=server", "-f", "-", stdin=manifest)


def test_published_slice_is_the_planned_one(lab, client):
    published = client.get("/apis/resource.k8s.io/v1/resourceslices/h100-1-gpu.nvidia.com")
    assert published["spec"]["devices"] == node_slices("h100-1", board("hgx-h100"), "dra")[0]["spec"]["devices"]
    owner = published["metadata"]["ownerReferences"][0]
    assert (owner["kind"], owner["name"]) == ("Node", "h100-1")
