"""The plan once its charts are read: CRDs have one owner, and values name the mirror."""

import pytest

from tessera.errors import ProblemsError
from tessera.platform.plan import Settings, plan
from tessera.platform.ready import Chart, ready
from tessera.recipe.resolved import Component
from tests.platform import order, standin


def made(rows, **settings):
    components = [Component(**{**row, "after": tuple(row["after"])}) for row in rows]
    wanted = plan(components, Settings(charts="charts", **settings))
    charts = {one.name: Chart(f"{one.name}.tgz", standin.files(one.chart, one.version)) for one in wanted.releases}
    return ready(wanted, charts)


def test_whole_order_is_ready_and_each_crd_has_one_owner():
    found = made(order.components())
    assert len(found.releases) == len(order.ROWS)
    owners = {crd.name: one.name for one in found.releases for crd in one.crds}
    assert owners["computedomains.resource.nvidia.com"] == "dra-driver-nvidia-gpu"
    assert owners["nodefeatures.nfd.k8s-sigs.io"] == "node-feature-discovery"


def test_crd_that_two_charts_bring_is_refused_naming_both():
    with pytest.raises(ProblemsError) as caught:
        made([{**row, "crds": None} for row in order.components("gpu-operator", "dra-driver-nvidia-gpu")])
    assert "component dra-driver-nvidia-gpu: CRD computedomains.resource.nvidia.com comes with gpu-operator too" in str(
        caught.value
    )


def test_unknown_crd_is_refused_with_the_nearest_one():
    with pytest.raises(ProblemsError, match=r"did you mean 'clusterqueues\.kueue\.x-k8s\.io'"):
        made(order.components("kueue", crds=["clusterqueue.kueue.x-k8s.io"]))


def test_crds_may_be_left_out_or_come_from_a_file():
    (none,) = made(order.components("kueue", crds=False)).releases
    assert none.crds == ()
    (component,) = order.components("kueue", crds="crds.yaml")
    wanted = plan([Component(**{**component, "after": ()})], Settings(charts="charts"))
    files, text = standin.files("kueue", "0.19.2"), standin.crd("gateway.example.com/Gateway")
    (found,) = ready(wanted, {"kueue": Chart("kueue.tgz", files, text)}).releases
    assert [crd.name for crd in found.crds] == ["gateways.gateway.example.com"]


def test_objects_of_its_crds_go_before_a_release():
    (found,) = made(order.components("kueue")).releases
    assert "kueue.x-k8s.io/ClusterQueue" in found.kinds


def test_mirror_is_named_by_the_values_of_its_images():
    (found,) = made(order.components("kueue"), mirror="m.example.com").releases
    image = found.values["controllerManager"]["manager"]["image"]
    assert image["repository"].startswith("m.example.com/registry.k8s.io/")
