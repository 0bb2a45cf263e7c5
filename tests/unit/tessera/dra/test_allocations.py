"""Which pod got which device, and why; from objects as an API server gives them."""

import pytest

from tessera.dra import explain
from tessera.dra.allocations import allocations
from tessera.dra.explain import Matcher
from tessera.dra.seen import Seen
from tessera.dra.slices import node_slices
from tessera.hardware.boards import board

FULL = "0/2 nodes are available: 2 cannot allocate all claims. still not schedulable"
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


def look(claims, pods=(), slices=(), classes=(), **more):
    return allocations(Seen(claims, list(pods), list(slices), list(classes), **more))


def published(node="n", generation=1, keep=8):
    found = node_slices(node, board("hgx-h100"), "dra")[0]
    found["spec"]["pool"]["generation"] = generation
    found["spec"]["devices"] = found["spec"]["devices"][:keep]
    return found


def test_an_allocated_device_is_told_with_pod_node_product_and_reason():
    (row,) = look([claim(results=[result("gpu-3")], pods=["p"])], [], [published()], CLASSES)
    (device,) = row.devices
    assert (row.namespace, row.claim, row.pods, row.node, device.device) == ("ai", "c", ("p",), "n", "gpu-3")
    assert (device.product, row.device_class, row.why) == ("NVIDIA H100 80GB HBM3", "any", "driver gpu.nvidia.com")
    assert (row.state, row.waits) == ("in use", False)


def test_a_waiting_claim_of_which_all_devices_are_taken_names_the_holders():
    held = [claim(f"h{number}", results=[result(f"gpu-{number}")], pods=["p"]) for number in range(8)]
    rows = look([claim(), *held], [pod("w", FULL)], [published()], CLASSES)
    (row,) = [row for row in rows if row.waits]
    assert (row.pods, row.node, row.devices, row.state) == (("w",), "", (), "waiting")
    assert (row.reason, row.why) == ("all taken", "all 8 devices that match are taken: 8 by any of ai")


def test_a_waiting_claim_that_nothing_matches_names_the_nearest_miss():
    big = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("100G")) >= 0'
    classes = [{"metadata": {"name": "any"}, "spec": {"selectors": [{"cel": {"expression": f"{GPU} && {big}"}}]}}]
    (row,) = look([claim()], [pod("w", FULL)], [published()], classes)
    assert row.why == "no device matches; nearest NVIDIA H100 80GB HBM3: memory 81559Mi >= 100G does not hold"


def test_a_waiting_claim_of_a_class_that_is_not_there_says_so():
    (row,) = look([claim()], [pod("w", FULL)], [published()], [])
    assert (row.reason, row.why) == ("no such class", "class any does not exist")


def test_who_can_not_read_slices_sees_the_rest():
    taken = claim(results=[result()], pods=["p"])
    rows = allocations(Seen([taken, claim("w")], [pod("q", FULL, claims=["w"])], None, None))
    assert [(row.state, row.devices[0].device if row.devices else "") for row in rows] == [
        ("in use", "gpu-0"),
        ("waiting", ""),
    ]
    assert "unknown" in rows[1].why


def test_selectors_are_evaluated_once_for_devices_of_a_kind(monkeypatch):
    """2,000 waiting claims and 800 equal GPUs: counted, for time depends on the machine."""
    asked = []
    evaluate = explain.cel.evaluate
    monkeypatch.setattr(explain.cel, "evaluate", lambda *words: asked.append(words) or evaluate(*words))
    claims = [claim(f"c{number}") for number in range(2000)]
    pods = [pod(f"p{number}", FULL, claims=[f"c{number}"]) for number in range(2000)]
    seen, matcher = Seen(claims, pods, [published(f"n{number}") for number in range(100)], CLASSES), Matcher()
    assert len(allocations(seen, matcher)) == 2000
    assert len(asked) == 1
    allocations(seen, matcher)
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("pods", "why"),
    [
        pytest.param([], "no pod uses it", id="without a pod"),
        pytest.param([pod("p", "full", claims=["other"])], "no pod uses it", id="with a pod of another claim"),
        pytest.param([pod("p")], "not looked at by the scheduler yet", id="before the scheduler"),
    ],
)
def test_a_claim_that_waits_for_another_reason_says_so(pods, why):
    assert [row.why for row in look([claim()], pods, [], CLASSES)] == [why]


@pytest.mark.parametrize("alternative", ["big", "any"])
def test_the_alternative_that_was_taken_is_the_class(alternative):
    taken = claim(requests=BIG_ELSE_ANY, results=[result(request=f"gpu/{alternative}")], pods=["p"])
    assert [row.device_class for row in look([taken], [], [published()], CLASSES)] == [alternative]


def test_a_waiting_claim_with_alternatives_names_them_all():
    assert [row.device_class for row in look([claim(requests=BIG_ELSE_ANY)], [], [], CLASSES)] == ["big, any"]


def test_all_devices_of_a_claim_are_in_its_row():
    two = claim(results=[result("gpu-1"), result("gpu-0")], pods=["p"])
    (row,) = look([two], [], [published()], CLASSES)
    assert [device.device for device in row.devices] == ["gpu-1", "gpu-0"]


def test_a_claim_shared_by_two_pods_names_both():
    shared = claim(results=[result()], pods=["p", "q"])
    assert [row.pods for row in look([shared], [], [published()], CLASSES)] == [("p", "q")]


def test_a_claim_with_devices_that_no_pod_uses_is_idle():
    assert [row.state for row in look([claim(results=[result()])], [], [published()], CLASSES)] == ["idle"]


def test_a_device_seen_as_administrator_is_held_by_nobody():
    seen = claim(results=[{**result(), "adminAccess": True}], pods=["p"])
    (row,) = look([seen], [], [published()], CLASSES)
    assert (row.held, row.devices[0].admin) == (0, True)


def test_rows_come_by_namespace_and_pod():
    found = [
        claim("z", results=[result("gpu-0")], pods=["b"]),
        claim("y", results=[result("gpu-1")], pods=["a"]),
        claim("x", results=[result("gpu-2")], pods=["c"], namespace="aa"),
    ]
    assert [row.pods for row in look(found, [], [published()], CLASSES)] == [("c",), ("a",), ("b",)]


def test_a_device_that_is_in_no_slice_says_so_and_still_has_its_name():
    (row,) = look([claim(results=[result("gpu-7")], pods=["p"])], [], [published(keep=4)], CLASSES)
    (device,) = row.devices
    assert (device.device, device.product, row.why) == ("gpu-7", "", "the device is in no slice any more")


def test_of_two_generations_of_a_pool_the_later_one_counts():
    old, new = published(generation=1), published(generation=2)
    new["spec"]["devices"][0]["attributes"]["productName"] = {"string": "NVIDIA H200"}
    for slices in ([old, new], [new, old]):
        assert look([claim(results=[result()])], [], slices, CLASSES)[0].devices[0].product == "NVIDIA H200"


def test_pools_of_one_name_under_two_drivers_are_told_apart():
    other = published()
    other["spec"]["driver"] = "compute-domain.nvidia.com"
    other["spec"]["devices"][0]["attributes"]["productName"] = {"string": "none"}
    (row,) = look([claim(results=[result()])], [], [published(), other], CLASSES)
    assert row.devices[0].product.startswith("NVIDIA")


def test_the_requests_own_selectors_are_reasons_too():
    expression = 'device.attributes["gpu.nvidia.com"].brand == "Nvidia"'
    request = {"deviceClassName": "any", "selectors": [{"cel": {"expression": expression}}]}
    asked = claim(requests=[{"name": "gpu", "exactly": request}], results=[result()])
    assert look([asked], [], [published()], CLASSES)[0].why == "driver gpu.nvidia.com, brand Nvidia"


def test_a_selector_that_errs_shows_the_error():
    wrong = [{"metadata": {"name": "any"}, "spec": {"selectors": [{"cel": {"expression": f"{GPU} && device.x == 1"}}]}}]
    (row,) = look([claim(results=[result()])], [], [published()], wrong)
    assert row.why.startswith("driver gpu.nvidia.com, device.x == 1 (error: ")


def test_a_class_that_is_gone_gives_no_reason():
    assert look([claim(results=[result()])], [], [published()], [])[0].why == ""


def test_a_device_only_in_an_older_generation_is_in_no_slice():
    slices = [published(generation=1), published(generation=2, keep=4)]
    (row,) = look([claim(results=[result("gpu-7")])], [], slices, CLASSES)
    assert row.why == "the device is in no slice any more"


def test_a_claim_that_a_waiting_pod_names_itself_is_found():
    user = pod("p", "0/2 nodes", claims=(), spec=[{"name": "gpu", "resourceClaimName": "c"}])
    assert [row.pods for row in look([claim()], [user], [], CLASSES)] == [("p",)]


def test_a_waiting_claim_shared_by_two_pods_names_both():
    rows = look([claim()], [pod("p", "full"), pod("q", "full")], [], CLASSES)
    assert [row.pods for row in rows] == [("p", "q")]


def test_a_claim_that_asks_for_nothing_is_no_fault():
    empty = {"metadata": {"name": "c", "namespace": "ai"}, "spec": {"devices": {}}, "status": {}}
    assert [row.devices for row in look([empty])] == [()]
