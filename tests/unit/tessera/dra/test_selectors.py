"""Selectors: what is made of a requirement, and taking it apart again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.requirements import Requirement
from tessera.dra.selectors import DRIVER, conjuncts, selector, split

MEMORY = st.none() | st.builds("{}{}".format, st.integers(1, 10**6), st.sampled_from(["", "G", "Gi", "Mi", "k"]))
VERSION = st.none() | st.builds("{}.{}.{}".format, *[st.integers(0, 99)] * 3)
REQUIREMENTS = st.builds(Requirement, memory=MEMORY, compute_capability=VERSION)
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


def test_the_guard_comes_first_then_the_kind_then_the_bounds():
    wanted = Requirement(memory="24G", compute_capability="8.9.0")
    assert conjuncts(wanted) == (
        'device.driver == "gpu.nvidia.com"',
        'device.attributes["gpu.nvidia.com"].type == "gpu"',
        '"memory" in device.capacity["gpu.nvidia.com"]',
        'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("24G")) >= 0',
        'device.attributes["gpu.nvidia.com"].cudaComputeCapability.compareTo(semver("8.9.0")) >= 0',
    )


@given(REQUIREMENTS)
@settings(max_examples=60)
def test_every_selector_is_guarded_by_the_drivers_name(wanted):
    assert conjuncts(wanted)[0] == f'device.driver == "{DRIVER}"'


@given(REQUIREMENTS)
@settings(max_examples=60)
def test_memory_is_read_only_behind_a_look_whether_it_is_there(wanted):
    parts = conjuncts(wanted)
    read = [at for at, part in enumerate(parts) if ".memory." in part]
    assert all(parts[at - 1] == f'"memory" in device.capacity["{DRIVER}"]' for at in read)
    assert len(read) == (wanted.memory is not None)


@given(REQUIREMENTS)
@settings(max_examples=60)
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
