"""Selectors: what is made of a requirement, and taking it apart again."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.requirements import Requirement, requirement
from tessera.dra.selectors import DRIVER, NIC_DRIVER, conjuncts, selector, split
from tests.unit.tessera.dra.made import requirements

LONGEST = 10 * 1024  # bytes of an expression (dra.md 1.3)
READ = re.compile(r'device\.(?:attributes|capacity)\["([^"]+)"\]\.(\w+)')
ALWAYS = {"type", "productName", "architecture", "cudaComputeCapability"}
"""Attributes that NVIDIA's driver publishes of every GPU and MIG device (dra.md 3.3)."""

ATOMS = st.sampled_from(
    [
        "a",
        "!b",
        'c == "x && y"',
        "d == 'x || y'",
        r'e == "a \" && b"',
        r"f == 'it\'s && so'",
        "(g && h)",
        "(i || j)",
        "(k ? l : m)",
        "[1, 2].exists(x, x > 1 && x < 3)",
        '{"n": o && p}["n"]',
        'device.attributes["&&"].q == "?"',
        'r[?"s"].orValue(false)',
        '"[" in t',
        "u == ')'",
    ]
)


def test_the_guard_comes_first_then_the_kind_then_names_then_bounds():
    wanted = requirement(
        {
            "memory": "24G",
            "memory_at_most": "90G",
            "compute_capability": "8.9.0",
            "product": "h100-sxm-80",
            "architecture": "Hopper",
        }
    )
    assert conjuncts(wanted) == (
        'device.driver == "gpu.nvidia.com"',
        'device.attributes["gpu.nvidia.com"].type == "gpu"',
        'device.attributes["gpu.nvidia.com"].productName == "NVIDIA H100 80GB HBM3"',
        'device.attributes["gpu.nvidia.com"].architecture == "Hopper"',
        '"memory" in device.capacity["gpu.nvidia.com"]',
        'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("24G")) >= 0',
        'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("90G")) <= 0',
        'device.attributes["gpu.nvidia.com"].cudaComputeCapability.compareTo(semver("8.9.0")) >= 0',
    )


def test_a_profile_is_read_of_mig_devices_alone():
    wanted = Requirement(device="mig", profile="1g.24gb", product=("rtx-pro-6000-se",))
    assert conjuncts(wanted)[1:] == (
        'device.attributes["gpu.nvidia.com"].type == "mig"',
        'device.attributes["gpu.nvidia.com"].productName == "NVIDIA RTX PRO 6000 Blackwell Server Edition"',
        'device.attributes["gpu.nvidia.com"].profile == "1g.24gb"',
    )


def test_several_products_are_a_list():
    wanted = Requirement(product=("l4", "l40s"))
    assert conjuncts(wanted)[2] == ('device.attributes["gpu.nvidia.com"].productName in ["NVIDIA L4", "NVIDIA L40S"]')


def test_a_network_card_is_asked_for_rdma_of_its_own_driver():
    assert conjuncts(Requirement(device="nic")) == (
        'device.driver == "dra.net"',
        '"rdma" in device.attributes["dra.net"]',
        'device.attributes["dra.net"].rdma == true',
    )


@given(requirements())
@settings(max_examples=200)
def test_every_selector_is_guarded_by_the_drivers_name(wanted):
    driver = NIC_DRIVER if wanted.device == "nic" else DRIVER
    first, *others = conjuncts(wanted)
    assert first == f'device.driver == "{driver}"'
    assert {domain for part in others for domain, _ in READ.findall(part)} <= {driver}


@given(requirements())
@settings(max_examples=200)
def test_what_a_device_may_lack_is_read_only_behind_a_look_whether_it_is_there(wanted):
    parts = conjuncts(wanted)
    for at, part in enumerate(parts):
        for domain, name in READ.findall(part):
            guards = [f'"{name}" in device.{kind}["{domain}"]' for kind in ("attributes", "capacity")]
            kind = f'device.attributes["{DRIVER}"].type == "mig"'
            assert name in ALWAYS or any(one in parts[:at] for one in (*guards, kind))


@given(requirements())
@settings(max_examples=200)
def test_every_selector_keeps_the_limit_of_the_api(wanted):
    assert len(selector(wanted).encode()) < LONGEST


@given(requirements())
@settings(max_examples=200)
def test_split_undoes_what_selector_joined(wanted):
    assert split(selector(wanted)) == conjuncts(wanted)


@given(st.lists(ATOMS, min_size=1, max_size=6), st.sampled_from(["&&", " && ", " &&\n  "]))
@settings(max_examples=100)
def test_split_finds_just_the_outer_conjuncts(parts, joint):
    assert split(joint.join(parts)) == tuple(parts)


@given(st.lists(ATOMS, min_size=1, max_size=3), st.lists(ATOMS, min_size=1, max_size=3))
@settings(max_examples=50)
def test_an_alternative_makes_the_whole_one_condition(left, right):
    whole = f"{' && '.join(left)} || {' && '.join(right)}"
    assert split(whole) == (whole,)


@pytest.mark.parametrize(
    "whole",
    [
        pytest.param("a && b ? c : d", id="conjunction as the question"),
        pytest.param("a ? b && c : d && e", id="conjunctions as answers"),
        pytest.param("a || b && c", id="or before and"),
        pytest.param("a && b || c", id="and before or"),
    ],
)
def test_what_binds_weaker_than_and_is_not_split(whole):
    assert split(whole) == (whole,)


def test_an_optional_selection_is_no_conditional():
    assert split("a.?b.orValue(false) && c") == ("a.?b.orValue(false)", "c")


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        pytest.param('a == r"\\" && b', ('a == r"\\"', "b"), id="raw string"),
        pytest.param('a == """x " && y""" && b', ('a == """x " && y"""', "b"), id="string of three quotes"),
        pytest.param("a && b // or c && d", ("a", "b // or c && d"), id="comment"),
    ],
)
def test_rarer_notations_of_cel_are_respected(expression, parts):
    assert split(expression) == parts
