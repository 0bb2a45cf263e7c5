"""MIG: layouts against a brute-force judge, and names that mean two things."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.errors import ProblemsError, TesseraError
from tessera.hardware import gpus, mig
from tessera.hardware.mig import Placement, check_layout, place

SEVEN = {
    "1g": (1, 1, 7, range(7)), "1g+me": (1, 1, 1, range(7)), "1g double": (1, 2, 4, range(0, 8, 2)),
    "2g": (2, 2, 3, (0, 2, 4)), "3g": (3, 4, 2, (0, 4)), "4g": (4, 4, 1, (0,)), "7g": (7, 8, 1, (0,)),
}  # fmt: skip
"""The 7-slice parts, typed again from the MIG user guide: compute, memory, most, starts."""

RTX = {
    kind + end: ({"1g": 1, "2g": 2, "4g": 4}[kind], size, 1 if end in {"+me", "+me.all"} else most, starts)
    for kind, size, most, starts, ends in (
        ("1g", 3, 4, (0, 3, 6, 9), ("", "+me", "+gfx", "+me.all", "-me")),
        ("2g", 6, 2, (0, 6), ("", "+gfx", "+me.all", "-me")),
        ("4g", 12, 1, (0,), ("", "+gfx")),
    )
    for end in ends
}

MIG_GPUS = [gpus.gpu(key) for key in gpus.names() if gpus.gpu(key).mig not in {None, mig.NO_MIG}]
LARGEST = 8
"""More instances than any GPU takes."""


def kind_of(gpu, name):
    """The profile's line in SEVEN or RTX, told by name alone."""
    slices, end = re.fullmatch(r"(\dg)\.\d+gb(.*)", name).groups()
    if gpu.accelerator == "rtx-pro-6000":
        return slices + end
    labels = [int(re.search(r"\.(\d+)gb", other.name)[1]) for other in mig.profiles(gpu) if other.name[:2] == "1g"]
    label = int(re.search(r"\.(\d+)gb", name)[1])
    return "1g double" if slices == "1g" and label > min(labels) else slices + end


def judge(gpu, placements):
    """Whether the layout is legal, by counting marks on a strip."""
    rules, compute_of, strip = (RTX, 4, 12) if gpu.accelerator == "rtx-pro-6000" else (SEVEN, 7, 8)
    marks, compute, counts = [0] * strip, 0, Counter()
    for one in placements:
        slices, memory, most, starts = rules[kind_of(gpu, one.profile)]
        if one.start not in starts:
            return False
        for at in range(memory):
            marks[one.start + at] += 1
        compute += slices
        counts[one.profile] += 1
        if counts[one.profile] > most:
            return False
    takes_all = any(one.profile.endswith("+me.all") for one in placements)
    if takes_all and sum(not one.profile.endswith("-me") for one in placements) > 1:
        return False
    return max(marks) <= 1 and compute <= compute_of


def accepted(gpu, placements):
    try:
        check_layout(gpu, placements)
    except ProblemsError:
        return False
    return True


@st.composite
def layouts(draw):
    gpu = draw(st.sampled_from(MIG_GPUS))
    every = [Placement(start, one.name) for one in mig.profiles(gpu) for start in range(one.memory_of + 1)]
    legal = [one for one in every if one.start in mig.profile(gpu, one.profile).starts]
    return gpu, draw(st.lists(st.sampled_from(draw(st.sampled_from([legal, legal, legal, every]))), max_size=LARGEST))


@given(layouts())
@settings(max_examples=400, deadline=None)
def test_a_layout_is_accepted_just_when_the_judge_accepts_it(drawn):
    gpu, placements = drawn
    assert accepted(gpu, placements) is judge(gpu, placements)


@given(st.sampled_from(MIG_GPUS), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_whatever_grows_while_it_is_legal_stays_legal(gpu, random):
    """Legal layouts are rare among random ones; grown ones are all legal, up to those where nothing fits any more."""
    every = [Placement(start, one.name) for one in mig.profiles(gpu) for start in one.starts]
    random.shuffle(every)
    grown = []
    for one in every:
        if judge(gpu, [*grown, one]):
            grown.append(one)
    assert grown
    assert accepted(gpu, grown)
    assert not any(accepted(gpu, [*grown, one]) for one in every)


@pytest.mark.parametrize("gpu", MIG_GPUS, ids=lambda gpu: gpu.key)
def test_every_single_placement_is_legal_and_stays_on_the_gpu(gpu):
    for one in mig.profiles(gpu):
        assert one.starts
        for start in one.starts:
            check_layout(gpu, [Placement(start, one.name)])
            assert start + one.memory <= one.memory_of


@pytest.mark.parametrize("gpu", MIG_GPUS, ids=lambda gpu: gpu.key)
def test_the_largest_number_of_one_profile_fits_and_one_more_does_not(gpu):
    for one in mig.profiles(gpu):
        assert len(place(gpu, {one.name: one.limit})) == one.limit
        with pytest.raises(ProblemsError, match=rf"too many of {re.escape(one.name)}; found {one.limit + 1}, allowed"):
            place(gpu, {one.name: one.limit + 1})


SEVENS = [gpu for gpu in MIG_GPUS if gpu.accelerator != "rtx-pro-6000"]
GUIDE = [
    "7g", "4g 3g", "3g 3g", "3g 2g 2g", "4g 2g 1g", "3g 2g 1g 1g", "2g 2g 2g 1g", "4g 1g 1g 1g", "3g 1g 1g 1g 1g",
    "2g 2g 1g 1g 1g", "2g 1g 1g 1g 1g 1g", "1g 1g 1g 1g 1g 1g 1g", "3g 2g 1g", "3g 1g 1g 1g",
]  # fmt: skip
"""Largest layouts without the double-memory 1g; the last two where 3g starts at 0."""
DOUBLES = ["1d 1d 1d 1d", "1d 1d 1d 1g", "3g 1d 1d", "4g 1d 1d", "2g 1d 1d 1d"]


def counts_of(gpu, words):
    names = {kind_of(gpu, one.name): one.name for one in mig.profiles(gpu)}
    return Counter(names[word.replace("1d", "1g double")] for word in words.split())


@pytest.mark.parametrize("words", [*GUIDE, *DOUBLES])
@pytest.mark.parametrize("gpu", SEVENS, ids=lambda gpu: gpu.key)
def test_largest_layouts_of_seven_slices_are_placed_and_accepted(gpu, words):
    wanted = counts_of(gpu, words)
    found = place(gpu, wanted)
    assert Counter(one.profile for one in found) == wanted
    check_layout(gpu, found)


@pytest.mark.parametrize(
    "counts",
    [
        {"1g.24gb": 4},
        {"2g.48gb": 2},
        {"2g.48gb": 1, "1g.24gb": 2},
        {"4g.96gb": 1},
        {"1g.24gb+me.all": 1, "1g.24gb-me": 3},
    ],
    ids=str,
)
def test_largest_layouts_of_rtx_pro_are_placed_and_accepted(counts):
    gpu = gpus.gpu("rtx-pro-6000-se")
    check_layout(gpu, place(gpu, counts))


def largest(gpu, kinds):
    """Multisets of profiles to which nothing of these kinds can be added, over all legal layouts."""
    every = sorted(
        Placement(start, one.name)
        for one in mig.profiles(gpu)
        if kind_of(gpu, one.name) in kinds
        for start in one.starts
    )
    found = set()

    def grow(layout, rest):
        more = [one for one in every if judge(gpu, [*layout, one])]
        if not more:
            found.add(tuple(sorted(one.profile for one in layout)))
        for at, one in enumerate(rest):
            if one in more:
                grow([*layout, one], rest[at + 1 :])

    grow([], every)
    return found


def test_there_are_14_largest_layouts_without_the_double_memory_profile():
    gpu = gpus.gpu("h100-sxm-80")
    found = largest(gpu, {"1g", "2g", "3g", "4g", "7g"})
    assert found == {tuple(sorted(counts_of(gpu, words).elements())) for words in GUIDE}


def test_there_are_38_largest_layouts_with_it():
    assert len(largest(gpus.gpu("h100-sxm-80"), {"1g", "1g double", "2g", "3g", "4g", "7g"})) == 38


def test_all_problems_are_told_at_once():
    gpu = gpus.gpu("h100-sxm-80")
    wrong = [Placement(0, "4g.40gb"), Placement(0, "3g.40gb"), Placement(4, "4g.40gb"), Placement(6, "1g.24gb")]
    with pytest.raises(ProblemsError) as caught:
        check_layout(gpu, wrong)
    where = "MIG layout of h100-sxm-80: "
    share = "on {} it is {}/7 of compute and {}/8 of memory"
    elsewhere = [share.format("h100-nvl-94", 1, 2), share.format("h100-sxm-96", 1, 2)]
    allowed = "1g.10gb, 1g.10gb+me, 1g.20gb, 2g.20gb, 3g.40gb, 4g.40gb, 7g.80gb"
    assert list(caught.value.problems) == [
        f"{where}unknown MIG profile '1g.24gb' (did you mean '1g.20gb'?); allowed: {allowed}; {elsewhere[0]}; "
        f"{elsewhere[1]}; on rtx-pro-6000-se it is 1/4 of compute and 3/12 of memory",
        f"{where}4g.40gb can't start there; found 4, allowed 0; move it",
        f"{where}4g.40gb@0 and 3g.40gb@0 overlap; found both on memory slices 0, 1, 2, 3; move or drop one",
        f"{where}too many of 4g.40gb; found 2, allowed 1; drop 1",
        f"{where}too many compute slices; found 11, allowed 7; take smaller profiles",
    ]


def test_whatever_stands_beside_all_media_engines_has_none():
    gpu = gpus.gpu("rtx-pro-6000-se")
    with pytest.raises(ProblemsError, match="too many sets of media engines; found 5, allowed 4; take -me profiles"):
        check_layout(gpu, [Placement(0, "1g.24gb+me.all"), Placement(3, "1g.24gb")])


def test_what_fits_by_count_may_still_not_fit_by_place():
    with pytest.raises(ProblemsError, match=r"4 x 1g\.20gb, 1 x 1g\.10gb fit in no way; allowed: 8 memory slices"):
        place(gpus.gpu("h100-sxm-80"), {"1g.20gb": 4, "1g.10gb": 1})


def test_one_compute_slice_too_many_is_refused():
    with pytest.raises(ProblemsError, match=r"too many compute slices; found 8, allowed 7; take smaller profiles"):
        place(gpus.gpu("h100-sxm-80"), {"2g.20gb": 3, "1g.10gb": 2})
    with pytest.raises(ProblemsError, match=r"too many compute slices; found 5, allowed 4"):
        place(gpus.gpu("rtx-pro-6000-se"), {"2g.48gb-me": 2, "1g.24gb-me": 1})


def test_a_count_below_0_is_refused():
    with pytest.raises(ProblemsError, match=r"1g\.10gb: found -1, allowed 0 or more"):
        place(gpus.gpu("h100-sxm-80"), {"1g.10gb": -1})


def test_the_empty_layout_is_legal():
    check_layout(gpus.gpu("h100-sxm-80"), [])
    assert place(gpus.gpu("h100-sxm-80"), {}) == ()


@pytest.mark.parametrize(
    ("name", "among", "said"),
    [
        ("1g.24gb", ("h100-nvl-94", "rtx-pro-6000-se"), ("1/7 of compute and 2/8", "1/4 of compute and 3/12")),
        ("1g.10gb", ("a100-sxm-40", "a100-sxm-80"), ("1/7 of compute and 2/8", "1/7 of compute and 1/8")),
        ("1g.35gb", ("h200-sxm-141", "gb300-278"), ("1/7 of compute and 2/8", "1/7 of compute and 1/8")),
    ],
)
def test_a_name_that_means_two_shares_is_refused(name, among, said):
    found = "; ".join(f"on {key} {share} of memory" for key, share in zip(among, said, strict=True))
    with pytest.raises(TesseraError, match=f"is not the same on these GPUs; found {found}; allowed: one share"):
        mig.one_meaning(name, map(gpus.gpu, among))


def test_a_name_that_means_one_share_is_taken():
    among = [gpus.gpu(key) for key in ("b200-sxm-180", "gb200-186")]
    assert mig.one_meaning("1g.23gb", among).share == (1, 7, 1, 8)


def test_a_name_that_one_of_the_gpus_lacks_is_refused():
    with pytest.raises(TesseraError, match=r"^GPU a100-sxm-80: unknown MIG profile '1g\.24gb'"):
        mig.one_meaning("1g.24gb", [gpus.gpu("h100-nvl-94"), gpus.gpu("a100-sxm-80")])
    with pytest.raises(TesseraError, match="no GPU is named"):
        mig.one_meaning("1g.24gb", [])


def test_a_gpu_without_mig_and_one_with_an_unknown_table_say_so():
    with pytest.raises(TesseraError, match=r"^GPU l40s: has no MIG"):
        mig.profiles(gpus.gpu("l40s"))
    with pytest.raises(TesseraError, match=r"^GPU rtx-pro-4500-se: its MIG profiles are unknown; read them with"):
        check_layout(gpus.gpu("rtx-pro-4500-se"), [])


@pytest.mark.parametrize(
    ("minor", "gpu", "name", "start", "said"),
    [
        (0, "h200-sxm-141", "1g.18gb", 0, "gpu-0-mig-1g18gb-19-0"),
        (3, "a100-sxm-40", "2g.10gb", 2, "gpu-3-mig-2g10gb-14-2"),
        (1, "h100-sxm-80", "1g.10gb+me", 6, "gpu-1-mig-1g10gb-me-20-6"),
        (0, "rtx-pro-6000-se", "1g.24gb+me.all", 9, "gpu-0-mig-1g24gb-meall-65-9"),
    ],
)
def test_devices_are_called_as_the_driver_calls_them(minor, gpu, name, start, said):
    assert mig.device_name(minor, mig.profile(gpus.gpu(gpu), name), start) == said


@pytest.mark.parametrize("gpu", MIG_GPUS, ids=lambda gpu: gpu.key)
def test_no_two_devices_of_a_gpu_have_one_name_and_all_are_dns_labels(gpu):
    """1g.24gb+me and 1g.24gb-me differ by profile id alone."""
    found = [mig.device_name(15, one, start) for one in mig.profiles(gpu) for start in one.starts]
    assert len(found) == len(set(found))
    assert all(re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", name) for name in found)


@pytest.mark.parametrize("gpu", MIG_GPUS, ids=lambda gpu: gpu.key)
def test_published_memory_is_below_the_label_and_grows_with_the_slices(gpu):
    known = [one for one in mig.profiles(gpu) if one.memory_mib is not None]
    for one in known:
        assert 0 < one.memory_mib < int(re.search(r"\.(\d+)gb", one.name)[1]) * 1024
        assert all(one.memory_mib < other.memory_mib for other in known if one.memory < other.memory)
        assert gpu.memory_mib is None or one.memory_mib < gpu.memory_mib


@pytest.mark.parametrize("gpu", MIG_GPUS, ids=lambda gpu: gpu.key)
def test_the_widest_profile_has_the_most_of_everything_that_is_known(gpu):
    widest = max(mig.profiles(gpu), key=lambda one: (one.compute, -len(one.name)))
    for one in mig.profiles(gpu):
        for name in ("copy", "decoders", "encoders", "jpeg", "ofa"):
            most, taken = getattr(widest.engines, name), getattr(one.engines, name)
            assert most is None or taken is None or taken <= most
        assert widest.sms is None or one.sms <= widest.sms


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("a100-sxm-80", False),
        ("h100-sxm-80", True),
        ("rtx-pro-6000-se", True),
        ("l4", False),
        ("rtx-pro-4500-se", None),
    ],
)
def test_mig_devices_come_and_go_on_hopper_and_later(key, answer):
    assert mig.cut_on_demand(gpus.gpu(key)) is answer


@pytest.mark.parametrize("gpu", MIG_GPUS, ids=lambda gpu: gpu.key)
def test_labels_follow_from_the_memory_slices(gpu):
    """A label is its share of the whole one in eighths or quarters, rounded; off by one at most."""
    whole = max(int(re.search(r"\.(\d+)gb", one.name)[1]) for one in mig.profiles(gpu))
    for one in mig.profiles(gpu):
        label = int(re.search(r"\.(\d+)gb", one.name)[1])
        assert abs(label - whole * one.memory / one.memory_of) <= 1


def test_the_device_plugin_writes_a_point_for_a_plus():
    gpu = gpus.gpu("rtx-pro-6000-se")
    assert mig.profile(gpu, "1g.24gb+me.all").resource == "nvidia.com/mig-1g.24gb.me.all"
    assert mig.profile(gpu, "1g.24gb-me").resource == "nvidia.com/mig-1g.24gb-me"
