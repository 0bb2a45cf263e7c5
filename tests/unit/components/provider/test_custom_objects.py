"""tessera:platform:CustomObjects on a cluster that is a dictionary; the real one is in tests/platform."""

import threading

import pytest

from components.provider import custom_objects
from components.provider.custom_objects import CRDS, CustomObjectsResource
from components.provider.resource import Call, Difference
from components.provider.wire import Secret
from tessera.errors import TesseraError

INPUTS = {"component": "kueue", "kinds": ["example.com/Thing"], "kubeconfig": "k", "timeoutSeconds": 30}
THINGS = "/apis/example.com/v1/things"


class Cluster:
    """Lists by path; what has a finalizer stays when it is deleted."""

    def __init__(self):
        versions = [{"name": "v1alpha1", "served": False}, {"name": "v1", "served": True}]
        spec = {"group": "example.com", "names": {"kind": "Thing", "plural": "things"}, "versions": versions}
        other = {**spec, "names": {"kind": "Other", "plural": "others"}}
        self.lists = {CRDS: [{"spec": spec}, {"spec": other}], "/apis/example.com/v1/others": [thing("kept")]}
        self.deleted = []

    def items(self, path):
        return list(self.lists.get(path, []))

    def delete(self, path):
        self.deleted.append(path)
        self.lists[THINGS] = [one for one in self.lists[THINGS] if one["metadata"].get("finalizers")]


def thing(name, *finalizers, namespace="ns"):
    place = {"namespace": namespace} if namespace else {}
    return {"metadata": {"name": name, "uid": name, "finalizers": list(finalizers), **place}}


@pytest.fixture
def cluster(monkeypatch):
    found = Cluster()
    monkeypatch.setattr(custom_objects, "Cluster", lambda kubeconfig: found)
    return found


def delete(cancelled=None, **changes):
    urn = "urn:pulumi:dev::tessera::tessera:platform:CustomObjects::kueue"
    call = Call(urn, lambda line: None, cancelled or threading.Event(), {**INPUTS, **changes})
    CustomObjectsResource().delete(call, "kueue")


def test_objects_of_its_kinds_go_and_no_others(cluster):
    cluster.lists[THINGS] = [thing("a"), thing("b", namespace="")]
    delete()
    assert cluster.deleted[0] == "/apis/example.com/v1/namespaces/ns/things/a"
    assert cluster.items(THINGS) == []
    assert cluster.items("/apis/example.com/v1/others")


def test_crd_that_is_gone_keeps_nobody(cluster):
    cluster.lists[CRDS] = []
    delete()
    assert cluster.deleted == []


def test_objects_that_stay_are_named_with_what_holds_them(cluster):
    cluster.lists[THINGS] = [thing(f"held-{at}", "example.com/hold") for at in range(7)]
    with pytest.raises(TesseraError, match=r"things ns/held-0 \(held by example\.com/hold\), .* and 2 more; see why"):
        delete(timeoutSeconds=0)
    assert len(cluster.deleted) == 7


def test_interrupt_ends_the_wait(cluster):
    cluster.lists[THINGS] = [thing("held", "example.com/hold")]
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(TesseraError, match="interrupted"):
        delete(cancelled)


def test_kubeconfig_stays_a_secret_and_a_changed_one_is_an_update():
    resource, call = CustomObjectsResource(), Call("urn", lambda line: None)
    checked, reasons = resource.check(call, INPUTS)
    assert (checked["kubeconfig"], reasons) == (Secret("k"), {})
    assert resource.create(call, INPUTS) == ("kueue", checked)
    assert resource.diff(call, "kueue", INPUTS, INPUTS, {**INPUTS, "kubeconfig": "l"}) == Difference(("kubeconfig",))
    assert resource.diff(call, "kueue", INPUTS, INPUTS, INPUTS) == Difference()
