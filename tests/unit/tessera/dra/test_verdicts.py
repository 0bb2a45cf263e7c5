"""Verdicts: the typed judgement of a device, and the same from a CEL engine."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra import cel
from tessera.dra.classes import names, service_class
from tessera.dra.requirements import Requirement
from tessera.dra.selectors import DRIVER, selector
from tessera.dra.slices import offer
from tessera.dra.verdicts import misses, words
from tessera.hardware.machines import machine
from tests.unit.tessera.dra.made import kinds, requirements

KINDS = kinds()
L40S = offer(machine("pcie-l40s"), "dra")[0].device


def said(wanted, device=L40S, driver=DRIVER):
    return [miss.said for miss in misses(wanted, driver, device)]


@given(requirements())
@settings(max_examples=150, deadline=None)
def test_typed_verdict_is_that_of_the_selector_on_every_kind_of_device(wanted):
    expression = selector(wanted)
    for one in KINDS:
        typed = not misses(wanted, one.driver, one.device)
        assert typed == (cel.evaluate(expression, one.device, one.driver) is True), one.device


@pytest.mark.parametrize("name", names())
def test_typed_verdict_on_each_class_is_that_of_its_selector(name):
    wanted = service_class(name).requires
    typed = [not misses(wanted, one.driver, one.device) for one in KINDS]
    assert typed == [cel.evaluate(selector(wanted), one.device, one.driver) is True for one in KINDS]


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        pytest.param(Requirement(), [], id="any GPU"),
        pytest.param(Requirement(memory="80G"), ["memory 46068Mi, wanted at least 80G"], id="too small"),
        pytest.param(Requirement(memory_at_most="9G"), ["memory 46068Mi, wanted at most 9G"], id="too large"),
        pytest.param(Requirement(device="mig"), ["a whole GPU, wanted a MIG device"], id="whole"),
        pytest.param(
            Requirement(device="nic"), ["gpu.nvidia.com, wanted an RDMA network card"], id="of another driver"
        ),
        pytest.param(Requirement(product=("l4",)), ["product NVIDIA L40S, wanted NVIDIA L4"], id="another product"),
        pytest.param(
            Requirement(nvlink=True),
            ["product NVIDIA L40S, wanted one that NVLink joins with others"],
            id="a card, not a board",
        ),
        pytest.param(
            Requirement(architecture="Hopper", compute_capability="9.0.0"),
            ["architecture Ada Lovelace, wanted Hopper", "compute capability 8.9.0, wanted at least 9.0.0"],
            id="all conditions are told",
        ),
    ],
)
def test_what_a_device_misses_is_told_in_words(wanted, told):
    assert said(wanted) == told


def test_what_nobody_knows_is_no_refusal():
    (miss,) = misses(Requirement(memory="24G"), DRIVER, {**L40S, "capacity": {}})
    assert miss.unknown
    assert miss.said == "memory unknown, wanted at least 24G"


@given(st.sampled_from(["46068Mi", "40Gi", "1Gi"]))
def test_the_farther_an_amount_is_the_greater_the_distance(amount):
    device = {**L40S, "capacity": {"memory": {"value": amount}}}
    near, far = (misses(Requirement(memory=wanted), DRIVER, device)[0].distance for wanted in ("80G", "800G"))
    assert 0 < near < far


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        pytest.param(Requirement(), "a whole GPU", id="nothing more"),
        pytest.param(Requirement(device="nic"), "an RDMA network card", id="card"),
        pytest.param(
            Requirement(memory="24G", compute_capability="8.9.0", product=("l4", "l40s")),
            "a whole GPU, NVIDIA L4 or NVIDIA L40S, memory at least 24G, compute capability at least 8.9.0",
            id="several words",
        ),
        pytest.param(
            Requirement(device="mig", product=("rtx-pro-6000-se",), profile="1g.24gb", memory_at_most="26G"),
            "a MIG device, NVIDIA RTX PRO 6000 Blackwell Server Edition, profile 1g.24gb, memory at most 26G",
            id="slice",
        ),
        pytest.param(
            Requirement(nvlink=True, architecture="Hopper"),
            "a whole GPU, joined by NVLink with the others of its board, architecture Hopper",
            id="board",
        ),
    ],
)
def test_a_requirement_is_said_in_words(wanted, text):
    assert words(wanted) == text
