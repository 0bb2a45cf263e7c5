"""Free space of a GPU, against what the hardware tables accept."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.errors import ProblemsError
from tessera.hardware import gpus, mig
from tessera.hardware.mig import Placement, check_layout, place
from tessera.mig.space import fits, full, largest, ways

MIG_GPUS = [key for key in gpus.names() if gpus.gpu(key).mig not in {None, mig.NO_MIG}]
PLAIN = ("7g.80gb", "4g.40gb", "3g.40gb", "2g.20gb", "1g.10gb")


def names(key):
    return tuple(one.name for one in mig.profiles(gpus.gpu(key)))


def counted(profiles, counts):
    return {name: count for name, count in zip(profiles, counts, strict=True) if count}


@pytest.mark.parametrize(("profiles", "count"), [(PLAIN, 14), ((*PLAIN, "1g.20gb"), 38)], ids=["without", "with"])
def test_full_layouts_are_as_many_as_the_guide_has_without_and_with_the_double_memory_profile(profiles, count):
    assert len(full("h100-sxm-80", profiles)) == count


def test_the_full_layouts_of_an_rtx_pro_are_four():
    found = full("rtx-pro-6000-se", ("4g.96gb", "2g.48gb", "1g.24gb"))
    assert found == {(1, 0, 0), (0, 2, 0), (0, 1, 2), (0, 0, 4)}


@pytest.mark.parametrize("key", MIG_GPUS)
def test_every_combination_is_legal_and_nothing_of_one_size_more_is_left_out(key):
    gpu, profiles = gpus.gpu(key), names(key)
    found = fits(key, (), profiles)
    for counts, layout in found.items():
        check_layout(gpu, layout)
        assert Counter(one.profile for one in layout) == counted(profiles, counts)
    for counts in largest(found):
        for at in range(len(profiles)):
            with pytest.raises(ProblemsError):
                place(gpu, counted(profiles, (*counts[:at], counts[at] + 1, *counts[at + 1 :])))


@given(st.sampled_from(MIG_GPUS), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_beside_what_a_gpu_keeps_just_what_is_legal_fits(key, random):
    gpu, profiles = gpus.gpu(key), names(key)
    every = [Placement(start, one.name) for one in mig.profiles(gpu) for start in one.starts]
    kept = ()
    for one in random.sample(every, 4):
        if legal(gpu, [*kept, one]):
            kept = (*kept, one)
    found = fits(key, kept, profiles)
    for layout in found.values():
        check_layout(gpu, [*kept, *layout])
    for one in every:
        single = tuple(int(name == one.profile) for name in profiles)
        assert single in found or not legal(gpu, [*kept, one])


def legal(gpu, layout):
    try:
        check_layout(gpu, layout)
    except ProblemsError:
        return False
    return True


def test_a_small_instance_alone_leaves_room_for_the_largest_beside_it():
    assert fits("h100-sxm-80", (), ("1g.10gb",))[(1,)] == (Placement(6, "1g.10gb"),)


def test_all_ways_to_place_a_combination_are_found():
    found = ways("h100-sxm-80", ("3g.40gb", "1g.10gb"), (1, 3))
    assert len(found) == len(set(found)) == 1 + 4
    for layout in found:
        check_layout(gpus.gpu("h100-sxm-80"), layout)
