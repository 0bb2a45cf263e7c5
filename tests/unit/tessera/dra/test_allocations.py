"""Which pod got which device, and why; from objects as an API server gives them."""

import pytest

from tessera.dra.allocations import allocations
from tessera.dra.slices import node_slice
from tessera.hardware.boards import board

GPU = 'device.driver == "gpu.nvidia.com"'
CLASSES = [{"metadata": {"name": "any"}, "spec": {"selectors": [{"cel": {"expression": GPU}}]}}]
EXACTLY = [{"name": "gpu", "exactly": {"deviceClassName": "any"}}]
BIG_ELSE_ANY = [
    {
        "name": "gpu",
        "firstAvailable": [{"name": "big", "deviceClassName": "big"}, {"name": "any", "deviceClassName": "any"}],
    }
]


def claim(name="c", requests=EXACTLY, results=(), pods=(), namespace="ai"):
    status = {}
    if results:
        status = {"allocation": {"devices": {"results": list(results)}}, "reservedFor": [{"name": pod} for pod in pods]}
    spec = {"devices": {"requests": requests}}
    return {"metadata": {"name": name, "namespace": namespace}, "spec": spec, "status": status}


def result(device="gpu-0", request="gpu", pool="n"):
    return {"driver": "gpu.nvidia.com", "pool": pool, "device": device, "request": request}


def pod(name, said=None, claims=("c",), spec=()):
    condition = [] if said is None else [{"type": "PodScheduled", "status": "False", "message": said}]
    used = [{"name": "gpu", "resourceClaimName": claim} for claim in claims]
    return {
        "metadata": {"name": name, "namespace": "ai"},
        "spec": {"resourceClaims": list(spec)},
        "status": {"conditions": condition, "resourceClaimStatuses": used},
    }


def published(node="n", generation=1, keep=8):
    found = node_slice(node, board("hgx-h100"))
    found["spec"]["pool"]["generation"] = generation
    found["spec"]["devices"] = found["spec"]["devices"][:keep]
    return found


def test_an_allocated_device_is_told_with_pod_node_product_and_reason():
    (row,) = allocations([claim(results=[result("gpu-3")], pods=["p"])], [], [published()], CLASSES)
    assert (row.namespace, row.claim, row.pod, row.node, row.device) == ("ai", "c", "p", "n", "gpu-3")
    assert (row.product, row.device_class, row.why) == ("NVIDIA H100 80GB HBM3", "any", "driver gpu.nvidia.com")
    assert not row.waits


def test_a_waiting_claim_is_told_with_the_schedulers_message():
    (row,) = allocations([claim()], [pod("p", "0/2 nodes: cannot allocate all claims")], [published()], CLASSES)
    assert (row.pod, row.node, row.device, row.device_class) == ("p", "", "", "any")
    assert row.why == "0/2 nodes: cannot allocate all claims"
    assert row.waits


@pytest.mark.parametrize(
    ("pods", "why"),
    [
        pytest.param([], "no pod uses it", id="without a pod"),
        pytest.param([pod("p", "full", claims=["other"])], "no pod uses it", id="with a pod of another claim"),
        pytest.param([pod("p")], "not looked at by the scheduler yet", id="before the scheduler"),
    ],
)
def test_a_claim_that_waits_for_another_reason_says_so(pods, why):
    assert [row.why for row in allocations([claim()], pods, [], CLASSES)] == [why]


@pytest.mark.parametrize("alternative", ["big", "any"])
def test_the_alternative_that_was_taken_is_the_class(alternative):
    taken = claim(requests=BIG_ELSE_ANY, results=[result(request=f"gpu/{alternative}")], pods=["p"])
    assert [row.device_class for row in allocations([taken], [], [published()], CLASSES)] == [alternative]


def test_a_waiting_claim_with_alternatives_names_them_all():
    assert [row.device_class for row in allocations([claim(requests=BIG_ELSE_ANY)], [], [], CLASSES)] == ["big, any"]


def test_each_device_of_a_claim_is_a_row():
    two = claim(results=[result("gpu-1"), result("gpu-0")], pods=["p"])
    assert [row.device for row in allocations([two], [], [published()], CLASSES)] == ["gpu-0", "gpu-1"]


def test_a_claim_shared_by_two_pods_names_both():
    shared = claim(results=[result()], pods=["p", "q"])
    assert [row.pod for row in allocations([shared], [], [published()], CLASSES)] == ["p, q"]


def test_rows_come_by_namespace_and_pod():
    found = [
        claim("z", results=[result("gpu-0")], pods=["b"]),
        claim("y", results=[result("gpu-1")], pods=["a"]),
        claim("x", results=[result("gpu-2")], pods=["c"], namespace="aa"),
    ]
    assert [row.pod for row in allocations(found, [], [published()], CLASSES)] == ["c", "a", "b"]


def test_a_device_that_is_in_no_slice_says_so_and_still_has_its_name():
    (row,) = allocations([claim(results=[result("gpu-7")], pods=["p"])], [], [published(keep=4)], CLASSES)
    assert (row.device, row.node, row.product, row.why) == ("gpu-7", "", "", "the device is in no slice any more")


def test_of_two_generations_of_a_pool_the_later_one_counts():
    old, new = published(generation=1), published(generation=2)
    new["spec"]["devices"][0]["attributes"]["productName"] = {"string": "NVIDIA H200"}
    for slices in ([old, new], [new, old]):
        assert allocations([claim(results=[result()])], [], slices, CLASSES)[0].product == "NVIDIA H200"


def test_pools_of_one_name_under_two_drivers_are_told_apart():
    other = published()
    other["spec"]["driver"] = "compute-domain.nvidia.com"
    other["spec"]["devices"][0]["attributes"]["productName"] = {"string": "none"}
    assert allocations([claim(results=[result()])], [], [published(), other], CLASSES)[0].product.startswith("NVIDIA")


def test_the_requests_own_selectors_are_reasons_too():
    expression = 'device.attributes["gpu.nvidia.com"].brand == "Nvidia"'
    request = {"deviceClassName": "any", "selectors": [{"cel": {"expression": expression}}]}
    asked = claim(requests=[{"name": "gpu", "exactly": request}], results=[result()])
    assert allocations([asked], [], [published()], CLASSES)[0].why == "driver gpu.nvidia.com, brand Nvidia"


def test_a_selector_that_errs_shows_the_error():
    wrong = [{"metadata": {"name": "any"}, "spec": {"selectors": [{"cel": {"expression": f"{GPU} && device.x == 1"}}]}}]
    (row,) = allocations([claim(results=[result()])], [], [published()], wrong)
    assert row.why.startswith("driver gpu.nvidia.com, device.x == 1 (error: ")


def test_a_class_that_is_gone_gives_no_reason():
    assert allocations([claim(results=[result()])], [], [published()], [])[0].why == ""


def test_a_device_only_in_an_older_generation_is_in_no_slice():
    slices = [published(generation=1), published(generation=2, keep=4)]
    (row,) = allocations([claim(results=[result("gpu-7")])], [], slices, CLASSES)
    assert row.why == "the device is in no slice any more"


def test_a_claim_that_a_waiting_pod_names_itself_is_found():
    user = pod("p", "0/2 nodes", claims=(), spec=[{"name": "gpu", "resourceClaimName": "c"}])
    assert [row.pod for row in allocations([claim()], [user], [], CLASSES)] == ["p"]


def test_a_waiting_claim_shared_by_two_pods_names_both():
    assert [row.pod for row in allocations([claim()], [pod("p", "full"), pod("q", "full")], [], CLASSES)] == ["p, q"]


def test_a_claim_that_asks_for_nothing_is_no_fault():
    empty = {"metadata": {"name": "c", "namespace": "ai"}, "spec": {"devices": {}}, "status": {}}
    assert [row.device for row in allocations([empty], [], [], [])] == [""]
