"""Examples: a pod for each class; tests/lab/test_classes.py runs them on a real API server and scheduler."""

import pytest

from tessera.dra.classes import names, service_class
from tessera.dra.examples import example, example_count
from tessera.errors import TesseraError


@pytest.mark.parametrize("name", names())
def test_example_is_the_golden_one(name, golden):
    golden(f"example-{name}", list(example(service_class(name), "default")))


@pytest.mark.parametrize("name", names())
def test_pod_keeps_to_pod_security_restricted(name):
    _, pod = example(service_class(name), "ai")
    (container,) = pod["spec"]["containers"]
    assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
    assert pod["spec"]["securityContext"]["runAsUser"] > 0
    assert pod["spec"]["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"]["allowPrivilegeEscalation"] is False
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}


@pytest.mark.parametrize("name", names())
def test_pod_uses_the_template_beside_it_and_the_priority_of_its_class(name):
    level = service_class(name)
    template, pod = example(level, "ai")
    (claim,) = pod["spec"]["resourceClaims"]
    assert claim["resourceClaimTemplateName"] == template["metadata"]["name"]
    assert {row["metadata"]["namespace"] for row in (template, pod)} == {"ai"}
    assert pod["spec"]["priorityClassName"] == level.priority


def test_processors_and_memory_grow_with_the_devices():
    level = service_class("gpu-training-single")
    one, four = (example(level, "ai", count)[1]["spec"]["containers"][0]["resources"] for count in (1, 4))
    assert one["requests"] == {"cpu": "2", "memory": "8Gi"}
    assert four["requests"] == {"cpu": "8", "memory": "32Gi"}


def test_a_board_has_eight_gpus_where_nobody_says_otherwise():
    level = service_class("gpu-training-distributed")
    assert example_count(level) == 8
    template, _ = example(level, "ai", 4)
    assert template["spec"]["spec"]["devices"]["requests"][0]["exactly"]["count"] == 4


def test_more_devices_than_a_claim_may_hold_are_refused():
    with pytest.raises(TesseraError, match="found a count of 33"):
        example(service_class("gpu-training-single"), "ai", 33)
