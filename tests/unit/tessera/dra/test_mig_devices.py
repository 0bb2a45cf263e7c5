"""GPUs cut on demand: the counters allow just the layouts that the hardware does."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.gpu_devices import NO_SEAT, Placed
from tessera.dra.mig_devices import counter_sets, partitions
from tessera.dra.quantity import parse
from tessera.errors import ProblemsError
from tessera.hardware import gpus, mig
from tessera.hardware.mig import Placement, check_layout

CUT = [gpus.gpu(key) for key in gpus.names() if mig.cut_on_demand(gpus.gpu(key))]
WHOLE = "gpu-0"


def placed(gpu):
    return Placed("node-0", 0, gpu, NO_SEAT, None, None)


def pool(gpu):
    """Counters of the GPU, and what each device takes of them."""
    (counters,) = counter_sets(placed(gpu))
    have = {name: parse(counter["value"]) for name, counter in counters["counters"].items()}
    takes = {}
    for device in partitions(placed(gpu)):
        (taken,) = device["consumesCounters"]
        assert taken["counterSet"] == counters["name"]
        takes[device["name"]] = Counter({name: parse(one["value"]) for name, one in taken["counters"].items()})
    return have, takes


POOLS = {gpu.key: pool(gpu) for gpu in CUT}
PLACEMENTS = {
    gpu.key: [
        (mig.device_name(0, one, start), Placement(start, one.name))
        for one in mig.profiles(gpu)
        for start in one.starts
    ]
    for gpu in CUT
}


def fits(have, takes, names):
    needed = Counter()
    for name in names:
        needed.update(takes[name])
    return all(amount <= have[name] for name, amount in needed.items())


def legal(gpu, layout):
    try:
        check_layout(gpu, layout)
    except ProblemsError:
        return False
    return True


@pytest.mark.parametrize("gpu", CUT, ids=lambda gpu: gpu.key)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_devices_fit_the_counters_just_where_their_layout_is_legal(gpu, data):
    """Devices are added in any order as long as they fit, so layouts get as full as they can."""
    (have, takes), held = POOLS[gpu.key], []
    for name, placement in data.draw(st.permutations(PLACEMENTS[gpu.key])):
        both = [*held, (name, placement)]
        allowed = legal(gpu, [one for _, one in both])
        assert fits(have, takes, [one for one, _ in both]) == allowed, both
        if allowed:
            held = both


@pytest.mark.parametrize("gpu", CUT, ids=lambda gpu: gpu.key)
def test_the_whole_gpu_fits_alone_and_with_nothing_else(gpu):
    have, takes = POOLS[gpu.key]
    assert dict(takes[WHOLE]) == have
    assert all(not fits(have, takes, [WHOLE, name]) for name in takes if name != WHOLE)


@pytest.mark.parametrize("gpu", CUT, ids=lambda gpu: gpu.key)
def test_every_profile_is_there_at_every_placement_without_an_identity_of_its_own(gpu):
    found = {device["name"]: device for device in partitions(placed(gpu))}
    assert found.keys() == {WHOLE, *(name for name, _ in PLACEMENTS[gpu.key])}
    for name, placement in PLACEMENTS[gpu.key]:
        attributes = found[name]["attributes"]
        assert attributes["profile"] == {"string": placement.profile}
        assert attributes["parentUUID"] == found[WHOLE]["attributes"]["uuid"]
        assert "uuid" not in attributes


def test_the_whole_gpu_lists_the_most_of_any_profile():
    found = partitions(placed(gpus.gpu("h100-sxm-80")))[0]
    assert found["name"] == WHOLE
    assert {name: one["value"] for name, one in found["capacity"].items()} == {
        "multiprocessors": "132",
        "copyEngines": "8",
        "decoders": "7",
        "encoders": "0",
        "jpegEngines": "7",
        "ofaEngines": "1",
        "memory": "81152Mi",
    }


def test_what_is_unknown_of_a_profile_is_counted_of_none():
    """B200's larger profiles are not known whole: their memory is in no counter, and the GPU has NVML's total."""
    have, _ = POOLS["b200-sxm-180"]
    whole, *_ = partitions(placed(gpus.gpu("b200-sxm-180")))
    assert "memory" not in have
    assert have["copy-engines"] == 16
    assert whole["capacity"]["memory"] == {"value": "183359Mi"}


@pytest.mark.parametrize("key", ["a100-sxm-40", "l40s"])
def test_a_gpu_that_can_not_be_cut_while_it_runs_is_published_whole(key):
    (device,) = partitions(placed(gpus.gpu(key)))
    assert device["name"] == WHOLE
    assert "consumesCounters" not in device
    assert counter_sets(placed(gpus.gpu(key))) == []
