"""Workloads of a stack file: what they claim, what is assumed, and which mistakes are told."""

import pytest

from tessera.dra.claims import Ask, Request, Same
from tessera.dra.requirements import Requirement
from tessera.errors import ProblemsError
from tessera.spec.claiming import claiming
from tessera.spec.stack import stack

POOLS = [
    {"name": "h100", "board": "hgx-h100", "size": 1},
    {"name": "gb200", "board": "gb200-nvl72-tray", "size": 2},
    {"name": "rtx", "board": "pcie-rtx-pro-6000", "size": 1, "sharing": "dynamic-mig"},
    {"name": "plain", "board": "pcie-l40s", "size": 1, "sharing": "none"},
]
H100, GB200, RTX, PLAIN = POOLS
CLASSES = [
    "gpu-inference-light",
    "gpu-inference-large",
    "gpu-training-distributed",
    "gpu-training-rdma",
    "gpu-batch-preemptible",
]
TENANTS = [{"name": "research", "groups": ["g"], "quota": {"gpu-training-distributed": 16}}]
LARGE = {"name": "gpu", "class": "gpu-inference-large"}


def values(pools, **changes):
    workload = {"name": "w", "namespace": "ai", "replicas": 1, "image": "engine:1"} | changes
    return {
        "cluster": {"service": "lab"},
        "pools": pools,
        "classes": CLASSES,
        "tenants": TENANTS,
        "workloads": [workload],
    }


def read(pools=POOLS, **changes):
    found = stack(values(pools, **changes))
    return claiming(found.workloads[0], found.pools, found.classes)


def problem(pools=POOLS, **changes):
    with pytest.raises(ProblemsError) as refusal:
        stack(values(pools, **changes))
    (line,) = refusal.value.problems
    return line


def test_a_class_alone_is_one_device_of_it_and_the_rest_is_assumed():
    found = read(**{"class": "gpu-inference-light"})
    assert found.claim.requests == (Request("mig", (Ask("gpu-inference-light", 1),)),)
    assert (found.kind, found.container, found.claim_name, found.template) == ("deployment", "main", "devices", "w")
    assert (found.cpu, found.memory, found.priority, found.pool) == ("1", "8Gi", "gpu-production", "")


def test_what_is_written_is_taken():
    found = read(
        **{"class": "gpu-inference-large", "count": 2, "request": "r", "claim": "c", "template": "t", "kind": "job"},
        cpu="500m",
        memory="1Gi",
        user=1000,
        priority="gpu-preemptible",
    )
    assert found.claim.requests == (Request("r", (Ask("gpu-inference-large", 2),)),)
    assert (found.claim_name, found.template, found.kind, found.user) == ("c", "t", "job", 1000)
    assert (found.cpu, found.memory, found.priority) == ("500m", "1Gi", "gpu-preemptible")


def test_a_pod_gets_processors_and_memory_by_its_devices():
    found = read(**{"class": "gpu-inference-large", "count": 8})
    assert (found.cpu, found.memory) == ("32", "256Gi")


@pytest.mark.parametrize(("pool", "gpus"), [("h100", 8), ("gb200", 4)])
def test_a_class_of_whole_boards_takes_the_gpus_of_the_board_of_its_pool(pool, gpus):
    found = read(**{"class": "gpu-training-distributed", "pool": pool})
    assert found.claim.requests[0].asks[0].count == gpus


def test_a_class_of_whole_boards_takes_those_of_the_only_kind_of_board_that_fits():
    found = read(pools=[H100, RTX, PLAIN], **{"class": "gpu-training-distributed"})
    assert found.claim.requests[0].asks[0].count == 8


def test_a_class_with_a_companion_brings_it():
    found = read(**{"class": "gpu-training-rdma"})
    assert [request.name for request in found.claim.requests] == ["gpu", "nic"]
    assert found.claim.same == (Same("pcie-root", ("gpu", "nic")),)


def test_requests_are_taken_one_by_one():
    found = read(
        requests=[
            {
                "name": "slices",
                "class": "gpu-inference-light",
                "count": 4,
                "requires": {"product": "rtx-pro-6000-se", "profile": "1g.24gb"},
            },
            {"name": "all", "class": "gpu-inference-large", "count": "all"},
            {"name": "nic", "class": "gpu-training-rdma-nic"},
        ],
        same=[{"what": "parent", "requests": ["slices"]}],
    )
    quarter = Requirement(device="mig", product=("rtx-pro-6000-se",), profile="1g.24gb")
    assert found.claim.requests == (
        Request("slices", (Ask("gpu-inference-light", 4, quarter),)),
        Request("all", (Ask("gpu-inference-large", None),)),
        Request("nic", (Ask("gpu-training-rdma-nic", 1),)),
    )
    assert found.claim.same == (Same("parent", ("slices",)),)
    assert found.cpu == "36"


def test_alternatives_keep_their_order_and_pods_are_sized_for_the_largest():
    found = read(
        requests=[
            {
                "name": "gpu",
                "firstAvailable": [
                    {"name": "new", "class": "gpu-inference-large", "requires": {"architecture": "Blackwell"}},
                    {"name": "old", "class": "gpu-inference-large", "count": 2, "requires": {"memory": "80G"}},
                ],
            }
        ]
    )
    (request,) = found.claim.requests
    assert [(ask.name, ask.count) for ask in request.asks] == [("new", 1), ("old", 2)]
    assert request.asks[0].requires == Requirement(architecture="Blackwell")
    assert found.memory == "64Gi"


def test_one_claim_for_all_pods_stands_in_place_of_a_template():
    found = read(resourceClaim="cache", **{"class": "gpu-inference-large"})
    assert (found.shared, found.resource_claim, found.template) == (True, "cache", "")


def test_pods_of_a_pool_tolerate_its_taints():
    tainted = {**H100, "taints": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]}
    found = read(pools=[tainted, RTX], **{"class": "gpu-inference-large", "pool": "h100"})
    assert found.tolerations == [{"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        pytest.param({}, "tessera:workloads[0]: found neither class nor requests", id="nothing claimed"),
        pytest.param({"requests": []}, "tessera:workloads[0]: found neither class nor requests", id="empty"),
        pytest.param(
            {"class": "gpu-inference-large", "requests": [LARGE]},
            "tessera:workloads[0].requests: stands beside class; allowed: exactly one of class, requests",
            id="class and requests",
        ),
        pytest.param(
            {"class": "gpu-inference-large", "template": "t", "resourceClaim": "c"},
            "tessera:workloads[0].resourceClaim: stands beside template",
            id="template and claim",
        ),
        pytest.param(
            {"requests": [LARGE], "count": 2},
            "tessera:workloads[0].count: stands beside requests; allowed: count beside class, or in each of requests",
            id="count beside requests",
        ),
        pytest.param(
            {"requests": [{"name": "gpu"}]},
            "tessera:workloads[0].requests[0]: found neither class nor firstAvailable; allowed: exactly one of them",
            id="request of nothing",
        ),
        pytest.param(
            {"requests": [{"name": "g", "count": 2, "firstAvailable": [LARGE]}]},
            "tessera:workloads[0].requests[0].count: stands beside firstAvailable",
            id="count beside alternatives",
        ),
        pytest.param(
            {"requests": [{"name": "g", "firstAvailable": [LARGE, {"name": "h", "class": "gpu-inference-larg"}]}]},
            "tessera:workloads[0].requests[0].firstAvailable[1].class: unknown class 'gpu-inference-larg'",
            id="class of an alternative",
        ),
        pytest.param(
            {"requests": [LARGE | {"requires": {"product": "h100-sxm-81"}}]},
            "tessera:workloads[0].requests[0].requires: unknown product 'h100-sxm-81' (did you mean 'h100-sxm-80'?)",
            id="product",
        ),
        pytest.param(
            {"requests": [LARGE | {"requires": {"profile": "1g.24gb"}}]},
            "tessera:workloads[0].requests[0].requires: profile can't be asked of a gpu",
            id="profile of a whole GPU",
        ),
        pytest.param(
            {"requests": [LARGE | {"count": 33}]},
            "tessera:workloads[0].requests[0].count: found 33, a number; allowed: a whole number, 1 to 32, or all",
            id="count beyond a claim",
        ),
        pytest.param(
            {"requests": [LARGE | {"count": 20}, LARGE | {"name": "more", "count": 20}]},
            "tessera:workloads[0].requests: found 40 devices in all requests",
            id="sum beyond a claim",
        ),
        pytest.param(
            {"requests": [LARGE, LARGE]}, "tessera:workloads[0].requests: request 'gpu' is there twice", id="twice"
        ),
        pytest.param(
            {"requests": [{"name": "g", "firstAvailable": [LARGE | {"name": f"n{at}"} for at in range(9)]}]},
            "tessera:workloads[0].requests: request g: found 9 alternatives, allowed",
            id="too many alternatives",
        ),
        pytest.param(
            {"requests": [LARGE], "same": [{"what": "numa", "requests": ["gpus"]}]},
            "tessera:workloads[0].requests: unknown request 'gpus' (did you mean 'gpu'?)",
            id="same of what is not there",
        ),
        pytest.param(
            {"requests": [LARGE], "same": [{"what": "parents"}]},
            "tessera:workloads[0].same[0].what: unknown thing to share 'parents' (did you mean 'parent'?)",
            id="same what",
        ),
        pytest.param(
            {"class": "gpu-training-distributed"},
            "tessera:workloads[0].class: gpu-training-distributed is all GPUs of a board, and pools differ: h100 has "
            "8, gb200 has 4; allowed: with a pool or a count",
            id="boards differ",
        ),
        pytest.param(
            {"class": "gpu-inference-large", "pool": "h10"},
            "tessera:workloads[0].pool: unknown pool 'h10' (did you mean 'h100'?)",
            id="pool",
        ),
        pytest.param(
            {"class": "gpu-inference-large", "pool": "plain"},
            "tessera:workloads[0].pool: pool plain shares its GPUs by none, without claims",
            id="pool without claims",
        ),
        pytest.param(
            {"class": "gpu-inference-large", "pool": "h100", "together": "nvlink-domain"},
            "tessera:workloads[0].together: the NVLink domain of pool h100 ends at the machine",
            id="domain of one machine",
        ),
        pytest.param(
            {"class": "gpu-inference-large", "priority": "gpu-produktion"},
            "tessera:workloads[0].priority: unknown priority 'gpu-produktion' (did you mean 'gpu-production'?)",
            id="priority",
        ),
        pytest.param(
            {"class": "gpu-inference-large", "namespace": "research"},
            "tessera:workloads[0].class: tenant research has no quota for class gpu-inference-large; "
            "allowed: gpu-training-distributed (its quota)",
            id="class that a tenant lacks",
        ),
        pytest.param(
            {
                "class": "gpu-training-distributed",
                "pool": "h100",
                "namespace": "research",
                "priority": "gpu-production",
            },
            "tessera:workloads[0].priority: unknown priority 'gpu-production'",
            id="priority that a tenant lacks",
        ),
        pytest.param(
            {"class": "gpu-training-rdma", "request": "g"},
            "tessera:workloads[0].class: class gpu-training-rdma brings nic, so its requests are called gpu, nic; "
            "take request out",
            id="name beside companions",
        ),
        pytest.param(
            {"class": "gpu-training-rdma", "count": "all"},
            "tessera:workloads[0].class: class gpu-training-rdma brings nic, so each device is counted",
            id="all with companions",
        ),
        pytest.param(
            {"class": "gpu-training-rdma", "count": 17},
            "tessera:workloads[0].class: ",
            id="companions beyond a claim",
        ),
        pytest.param({"class": "gpu-inference-large", "kind": "jobs"}, "tessera:workloads[0].kind: unknown", id="kind"),
        pytest.param({"class": "gpu-inference-large", "user": 0}, "tessera:workloads[0].user: found 0", id="root"),
        pytest.param(
            {"class": "gpu-inference-large", "cpu": 8}, "tessera:workloads[0].cpu: found 8, a number", id="cpu"
        ),
        pytest.param(
            {"class": "gpu-inference-large", "memory": "64GB"}, "tessera:workloads[0].memory: found '64GB'", id="memory"
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(changes, line):
    assert problem(**changes).startswith(line)


def test_no_board_to_take_all_of_is_told():
    found = problem(**{"class": "gpu-training-distributed", "pool": "rtx"})
    assert found == (
        "tessera:workloads[0].class: gpu-training-distributed is all GPUs of an NVLink board, and pool rtx has no such "
        "board; allowed: with a count"
    )
