"""Extended resources of the plan, and that the simulated device plugin reads the same from the generated files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.device_plugin import advertise
from tessera.errors import TesseraError
from tessera.hardware.machines import machine
from tessera.hardware.mig import place, profiles
from tessera.sharing.advertised import advertised
from tessera.sharing.files import files
from tessera.sharing.labels import labels
from tessera.sharing.pool import SharedPool
from tessera.sharing.way import Part, Way
from tests.unit.tessera.sharing.made import article, pool

H100 = machine("hgx-h100")


@pytest.mark.parametrize(
    ("way", "counted"),
    [
        pytest.param(Way("dra"), {}, id="claims"),
        pytest.param(Way("dynamic-mig"), {}, id="claims that cut"),
        pytest.param(Way("none"), {"nvidia.com/gpu": 8}, id="whole GPUs"),
        pytest.param(Way("time-slicing", replicas=4), {"nvidia.com/gpu": 32}, id="turns"),
        pytest.param(Way("mps", replicas=2), {"nvidia.com/gpu": 16}, id="mps"),
        pytest.param(
            Way("mig", {"1g.10gb+me": 1, "3g.40gb": 1}),
            {"nvidia.com/mig-1g.10gb.me": 8, "nvidia.com/mig-3g.40gb": 8},
            id="all GPUs cut alike",
        ),
        pytest.param(
            Way("mig", {}, (Part((0, 1), {"1g.10gb": 7}),), 2),
            {"nvidia.com/gpu": 12, "nvidia.com/mig-1g.10gb": 14},
            id="some cut, and turns on the others",
        ),
    ],
)
def test_a_node_counts_what_its_sharing_hands_out(way, counted):
    assert advertised(H100, way) == counted


def test_the_example_of_four_turns_on_a_gpu_and_two_on_a_slice():
    made = article()
    assert advertised(made.machine, made.way) == {"nvidia.com/gpu": 4, "nvidia.com/mig-1g.24gb": 8}


def test_an_unknown_profile_is_refused():
    with pytest.raises(TesseraError, match=r"unknown MIG profile '1g\.24gb'"):
        advertised(H100, Way("mig", {"1g.24gb": 1}))


KEYS = st.sampled_from(["hgx-h100", "hgx-b200", "pcie-rtx-pro-6000", "pcie-h100-nvl", "p4d.24xlarge", "g7e.12xlarge"])


@st.composite
def cut(draw, key):
    """A layout of some of a machine's GPUs, each with as many devices as fit of what was drawn."""
    found, parts = machine(key), []
    names = [one.name for one in profiles(found.gpu)]
    for index in draw(st.sets(st.integers(0, found.count - 1), min_size=1)):
        counts = {}
        for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=4)):
            more = counts | {name: counts.get(name, 0) + 1}
            counts = more if fits(found.gpu, more) else counts
        parts.append(Part((index,), counts))
    return tuple(parts)


def fits(gpu, counts):
    try:
        return bool(place(gpu, counts))
    except TesseraError:
        return False


@st.composite
def pools(draw):
    key = draw(KEYS)
    kind = draw(st.sampled_from(["dra", "none", "mig", "time-slicing", "mps"]))
    way = Way(kind, replicas=draw(st.integers(2, 8)) if kind in ("time-slicing", "mps") else 1)
    if kind == "mig":
        layout = draw(cut(key))
        named = list(dict.fromkeys(name for part in layout for name in part.profiles))
        turns = st.dictionaries(st.sampled_from(named), st.integers(2, 4))
        way = Way("mig", {}, layout, draw(st.integers(1, 4)), draw(turns))
    return SharedPool(draw(st.sampled_from(["a", "b", "c"])), machine(key), way)


@given(st.lists(pools(), min_size=1, max_size=3, unique_by=lambda one: one.name))
def test_a_node_that_reads_the_files_counts_what_the_plan_says_whatever_other_pools_there_are(found):
    made = files(found)
    for one in found:
        read = advertise(labels(one), one.machine, made)
        assert {name: int(count) for name, count in read.items()} == advertised(one.machine, one.way)


def test_a_node_without_labels_counts_whole_gpus():
    made = files([pool("a", "hgx-h100", "time-slicing", replicas=2)])
    assert advertise({}, H100, made) == {"nvidia.com/gpu": "8"}
