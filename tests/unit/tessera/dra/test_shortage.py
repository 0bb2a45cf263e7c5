"""Why a claim finds no devices: who has them, what is missing, and what stands in the way."""

import pytest

from tessera.dra.explain import Matcher
from tessera.dra.shortage import ERROR, NO_CLASS, NO_MATCH, SPREAD, TAKEN, TOGETHER, Market, shortage
from tessera.dra.slices import node_slices
from tessera.dra.stock import Holder, Stock
from tessera.dra.waiting import Finding
from tessera.hardware.boards import board

DRIVER = "gpu.nvidia.com"
ATTRIBUTES = f'device.attributes["{DRIVER}"]'
GPU = f'device.driver == "{DRIVER}" && {ATTRIBUTES}.type == "gpu"'
CLASSES = {
    "any": [GPU],
    "big": [f'{GPU} && device.capacity["{DRIVER}"].memory.compareTo(quantity("100G")) >= 0'],
    "odd": [f"{GPU} && {ATTRIBUTES}.vram >= 24"],
}
ROOT = "resource.kubernetes.io/pcieRoot"


def machines(*nodes, key="hgx-h100", sharing="dra"):
    return [row for node in nodes for row in node_slices(node, board(key), sharing)]


def exactly(name="any", **more):
    return {"name": "gpu", "exactly": {"deviceClassName": name, **more}}


def first_of(*names):
    return {"name": "gpu", "firstAvailable": [{"name": name, "deviceClassName": name} for name in names]}


def held(node, count, name="any", namespace="ai"):
    return {(DRIVER, node, f"gpu-{number}"): Holder(name, namespace) for number in range(count)}


def found(*requests, taken=(), slices=None, constraints=(), cel="", whole=True) -> Finding:
    stock = Stock(machines("a", "b") if slices is None else slices)
    market = Market(stock, stock.free(dict(taken)), CLASSES, Matcher(), whole)
    devices = {"requests": list(requests), "constraints": list(constraints)}
    return shortage({"spec": {"devices": devices}}, market, cel)


@pytest.mark.parametrize(
    ("request_", "taken", "reason", "why"),
    [
        pytest.param(
            exactly(),
            held("a", 8) | held("b", 8),
            TAKEN,
            "all 16 devices that match are taken: 16 by any of ai",
            id="all of one holder",
        ),
        pytest.param(
            exactly(),
            held("a", 8)
            | held("b", 8, "small", "e")
            | held("b", 7, "mid", "d")
            | held("b", 4, "big", "c")
            | held("b", 1),
            TAKEN,
            "all 16 devices that match are taken: 9 by any of ai, 3 by big of c, 3 by mid of d, 1 by others",
            id="the largest three holders",
        ),
        pytest.param(
            exactly(count=8),
            held("a", 1) | held("b", 3),
            SPREAD,
            "asks 8 on one node; 12 of 16 that match are free, at most 7 on one: 4 by any of ai",
            id="enough, but not together",
        ),
        pytest.param(
            exactly(allocationMode="All"),
            held("a", 1) | held("b", 1),
            SPREAD,
            "asks all on one node; 14 of 16 that match are free, at most 7 on one: 2 by any of ai",
            id="all of a node",
        ),
        pytest.param(
            exactly(count=9),
            {},
            SPREAD,
            "asks 9 on one node; no node has more than 8 that match",
            id="more than a node has",
        ),
        pytest.param(exactly("huge"), {}, NO_CLASS, "class huge does not exist", id="no such class"),
        pytest.param(
            exactly("big"),
            {},
            NO_MATCH,
            "no device matches; nearest NVIDIA H100 80GB HBM3: memory 81559Mi >= 100G does not hold",
            id="too small",
        ),
        pytest.param(
            exactly(selectors=[{"cel": {"expression": f'{ATTRIBUTES}.architecture == "Ada"'}}]),
            {},
            NO_MATCH,
            "no device matches; nearest NVIDIA H100 80GB HBM3: architecture Hopper == Ada does not hold",
            id="the request's own selector",
        ),
        pytest.param(
            first_of("big", "huge"),
            {},
            NO_CLASS,
            "gpu/big: no device matches; nearest NVIDIA H100 80GB HBM3: memory 81559Mi >= 100G does not hold; "
            "gpu/huge: class huge does not exist",
            id="none of the alternatives",
        ),
        pytest.param(
            first_of("big", "any"),
            {},
            TOGETHER,
            "enough devices are free for each request, but not on a node that takes the whole pod",
            id="one of the alternatives is free",
        ),
        pytest.param(
            exactly(adminAccess=True),
            held("a", 8) | held("b", 8),
            TOGETHER,
            "enough devices are free for each request, but not on a node that takes the whole pod",
            id="an administrator needs none that is free",
        ),
    ],
)
def test_a_shortage_says_who_has_the_devices_or_what_they_lack(request_, taken, reason, why):
    assert found(request_, taken=taken) == Finding(reason, why)


def test_the_first_request_that_finds_nothing_is_told():
    assert found(exactly(), exactly("huge"), exactly("big")).why == "class huge does not exist"


def test_devices_that_are_free_but_apart_are_told_with_what_they_should_share():
    same = [{"requests": ["gpu"], "matchAttribute": ROOT}, {"requests": ["gpu"], "distinctAttribute": "x.y/numa"}]
    said = found(exactly(count=2), constraints=same)
    assert said == Finding(TOGETHER, "enough devices are free, but on no node with one pcieRoot, numa")


def test_a_reader_of_one_namespace_is_not_told_who_holds_the_rest():
    said = found(exactly(), taken=held("a", 8) | held("b", 8), whole=False)
    assert said == Finding(TAKEN, "16 devices match; who holds them can't be seen from one namespace")


def test_a_cluster_without_devices_is_told():
    assert found(exactly(), slices=[]) == Finding(NO_MATCH, "no node publishes a device")


def test_an_error_of_which_the_scheduler_told_is_told_with_its_device():
    said = found(exactly("odd"), cel="no such key: vram")
    assert said == Finding(
        ERROR, "class odd: CEL error on device gpu-0 of node a: no such key: vram; it keeps the pod from every node"
    )


def test_an_error_of_which_nobody_told_is_found_all_the_same():
    said = found(exactly("odd"))
    assert said.reason == ERROR
    assert said.why.startswith("class odd can't be evaluated on device gpu-0 of node a: ")


@pytest.mark.parametrize(
    ("taken", "tolerations", "why"),
    [
        pytest.param({}, [], "all 8 devices that match are taken or tainted: 8 tainted", id="all tainted"),
        pytest.param(
            held("a", 6),
            [],
            "all 8 devices that match are taken or tainted: 6 by any of ai, 2 tainted",
            id="some taken",
        ),
        pytest.param(
            held("a", 8), [], "all 8 devices that match are taken: 8 by any of ai", id="taken before the taint"
        ),
        pytest.param(
            held("a", 8), [{"operator": "Exists"}], "all 8 devices that match are taken: 8 by any of ai", id="tolerated"
        ),
    ],
)
def test_tainted_devices_are_not_said_to_be_held(taken, tolerations, why):
    slices = machines("a")
    for row in slices[0]["spec"]["devices"]:
        row["taints"] = [{"key": "unhealthy", "effect": "NoSchedule"}]
    assert found(exactly(tolerations=tolerations), taken=taken, slices=slices).why == why


def test_gpus_of_which_parts_are_taken_name_who_has_the_parts():
    slices = machines("a", key="pcie-rtx-pro-6000", sharing="dynamic-mig")
    first = {}
    for row in Stock(slices).devices.values():
        if row.text("parentUUID"):
            first.setdefault(row.text("parentUUID"), row.place)
    taken = dict.fromkeys(first.values(), Holder("light", "ai"))
    why = "all 8 devices that match are taken, whole or in part: 8 by light of ai"
    assert found(exactly(), taken=taken, slices=slices).why == why
