"""Plans: legal, no worse than first-fit decreasing, and calm."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tessera.errors import ProblemsError, TesseraError
from tessera.hardware import gpus, mig
from tessera.hardware.mig import Placement, check_layout, place
from tessera.mig import fewest
from tessera.mig.demand import Want
from tessera.mig.fleet import MigGpu, fresh
from tessera.mig.plan import plan

H100, RTX = gpus.gpu("h100-sxm-80"), gpus.gpu("rtx-pro-6000-se")
NODE = 12
"""GPUs of a drawn fleet."""


def wants_of(gpu, most=8):
    profiles = [one.name for one in mig.profiles(gpu)]
    counts = st.dictionaries(st.sampled_from(profiles), st.integers(0, most), min_size=1, max_size=5)
    return counts.map(lambda found: [Want(name, count) for name, count in found.items()])


def counted(found):
    return Counter(one.profile for each in found.cuts for one in each.layout)


def asked(wants):
    return Counter({want.profile: want.count for want in wants if want.count})


def there(found):
    """The fleet after the plan."""
    return [replace(each.gpu, layout=each.layout) for each in found.cuts]


def layout_of(gpu, random, most=6):
    every = [Placement(start, one.name) for one in mig.profiles(gpu) for start in one.starts]
    layout = []
    for one in random.sample(every, random.randint(0, most)):
        try:
            check_layout(gpu, [*layout, one])
        except ProblemsError:
            continue
        layout.append(one)
    return tuple(sorted(layout))


def first_fit_decreasing(gpu, wants, count):
    """GPUs that the textbook's way takes: large ones first, each onto the first GPU that can be cut so."""
    bins = [Counter() for _ in range(count)]
    sizes = {one.name: (one.memory, one.compute, one.name) for one in mig.profiles(gpu)}
    for want in sorted(wants, key=lambda want: sizes[want.profile], reverse=True):
        for _ in range(want.count):
            for held in bins:
                try:
                    place(gpu, held + Counter({want.profile: 1}))
                except ProblemsError:
                    continue
                held[want.profile] += 1
                break
            else:
                return None
    return sum(map(bool, bins))


@pytest.mark.parametrize("gpu", [H100, RTX], ids=lambda gpu: gpu.key)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_plan_is_legal_complete_and_never_worse_than_first_fit_decreasing(gpu, data):
    wants = data.draw(wants_of(gpu))
    reference = first_fit_decreasing(gpu, wants, NODE)
    try:
        found = plan(fresh(gpu, NODE), wants)
    except ProblemsError:
        assert reference is None
        return
    for each in found.cuts:
        check_layout(gpu, each.layout)
    assert counted(found) == asked(wants)
    assert reference is None or len(found.used) <= reference
    assert len(found.moves) == sum(want.count for want in wants)


@given(st.data(), st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=80, deadline=None)
def test_from_any_layout_a_plan_is_legal_and_what_it_made_stays_when_nothing_changes(data, random, repack):
    wants = data.draw(wants_of(H100))
    fleet = [replace(one, layout=layout_of(H100, random), in_use=random.random() < 0.2) for one in fresh(H100, NODE)]
    try:
        found = plan(fleet, wants, repack=repack)
    except ProblemsError:
        assume(False)
    for each in found.cuts:
        check_layout(H100, each.layout)
        assert not (each.gpu.in_use and each.gpu.layout and each.changed)
    assert counted(found) - asked(wants) == Counter(found.extra)
    assert not asked(wants) - counted(found)
    assert len(found.used) >= found.fewest
    again = plan(there(found), wants, repack=repack)
    assert again.moves == ()


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_one_more_that_fits_into_free_space_moves_nothing_else(data):
    wants = data.draw(wants_of(H100, most=4))
    try:
        found = plan(fresh(H100, NODE), wants)
    except ProblemsError:
        assume(False)
    more = Want(data.draw(st.sampled_from([one.name for one in mig.profiles(H100)])), 1)
    free = [each for each in found.used if _fits(each, more.profile)]
    assume(free)
    after = plan(there(found), [*wants, more])
    (move,) = after.moves
    assert (move.verb, move.placement.profile) == ("create", more.profile)
    assert len(after.used) == len(found.used)


def _fits(each, name):
    for start in mig.profile(H100, name).starts:
        try:
            check_layout(H100, [*each.layout, Placement(start, name)])
        except ProblemsError:
            continue
        return True
    return False


def test_a_plan_is_the_same_every_time():
    wants = [Want("1g.10gb", 31), Want("3g.40gb", 5), Want("2g.20gb", 9), Want("1g.20gb", 4)]
    assert plan(fresh(H100, 16), wants) == plan(fresh(H100, 16), list(reversed(wants)))


def test_a_pattern_that_first_fit_misses_is_found():
    """Two 3g waste a compute slice; a 3g with 1g four times wastes none."""
    wants = [Want("3g.40gb", 2), Want("1g.10gb", 8)]
    assert first_fit_decreasing(H100, wants, NODE) == 3
    assert len(plan(fresh(H100, NODE), wants).used) == 2


def test_items_that_the_linear_program_gives_no_worth_are_searched_for_too():
    wants = [Want("7g.80gb", 1), Want("4g.40gb", 4), Want("2g.20gb", 2), Want("1g.10gb", 5), Want("1g.10gb+me", 3)]
    assert len(plan(fresh(H100, NODE), wants).used) == 5


def test_waste_is_what_no_further_instance_can_take():
    found = plan(fresh(H100, 1), [Want("3g.40gb", 2)])
    assert (found.waste.compute, found.waste.memory) == (1, 0)
    assert (found.taken.compute, found.available.compute) == (6, 7)
    found = plan(fresh(H100, 1), [Want("1g.20gb", 4)])
    assert (found.waste.compute, found.waste.memory) == (3, 0)
    found = plan(fresh(H100, 1), [Want("3g.40gb", 1)])
    assert (found.waste.compute, found.waste.memory) == (0, 0)


def test_large_instances_are_created_first():
    wants = [Want("1g.10gb", 2), Want("2g.20gb", 1), Want("3g.40gb", 1)]
    (each,) = plan(fresh(H100, 1), wants).used
    assert [one.profile for one in each.order] == ["3g.40gb", "2g.20gb", "1g.10gb", "1g.10gb"]
    assert [move.verb for move in each.moves] == ["create"] * 4


def cut(*layouts, **more):
    return [MigGpu("a", at, H100, tuple(layout), **more) for at, layout in enumerate(layouts)]


ONE, TWO, THREE = Placement(6, "1g.10gb"), Placement(0, "2g.20gb"), Placement(4, "3g.40gb")


def test_a_gpu_in_use_does_not_change_unless_its_free_space_is_asked_for():
    fleet = [*cut([THREE], in_use=True), MigGpu("a", 1, H100)]
    wants = [Want("3g.40gb", 1), Want("2g.20gb", 1)]
    calm = plan(fleet, wants)
    assert [str(move) for move in calm.moves] == ["create 2g.20gb@4 on a/1"]
    filled = plan(fleet, wants, beside=True)
    assert [move.gpu for move in filled.moves] == ["a/0"]
    assert (filled.cuts[0].recut, filled.cuts[0].wiped) == (True, (THREE,))


def test_what_is_in_use_and_not_wanted_stays_and_is_told():
    found = plan(cut([THREE, TWO], in_use=True), [Want("2g.20gb", 1)])
    assert (found.moves, found.extra) == ((), {"3g.40gb": 1})


def test_surplus_goes_where_it_empties_gpus():
    fleet = cut([THREE, TWO], [TWO], [THREE])
    found = plan(fleet, [Want("3g.40gb", 2), Want("2g.20gb", 1)])
    assert [str(move) for move in found.moves] == ["destroy 2g.20gb@0 on a/1"]
    assert len(found.used) == 2


def test_where_nothing_fits_around_it_the_gpu_with_the_fewest_instances_is_cleared():
    fleet = cut([TWO, THREE], [ONE], [Placement(0, "2g.20gb"), Placement(2, "2g.20gb"), Placement(4, "2g.20gb")])
    found = plan(fleet, [Want("7g.80gb", 1), Want("2g.20gb", 4), Want("3g.40gb", 1), Want("1g.10gb", 1)])
    assert [str(move) for move in found.moves if move.verb == "destroy"] == ["destroy 1g.10gb@6 on a/1"]
    assert {move.gpu for move in found.moves} == {"a/0", "a/1"} or {move.gpu for move in found.moves} == {"a/1", "a/2"}


def test_instances_move_to_save_a_gpu_only_when_asked():
    fleet = cut([ONE], [Placement(6, "1g.10gb")])
    wants = [Want("1g.10gb", 2)]
    calm = plan(fleet, wants)
    assert (calm.moves, calm.fewest, len(calm.used)) == ((), 1, 2)
    packed = plan(fleet, wants, repack=True)
    assert [move.verb for move in packed.moves] == ["create", "destroy"]
    assert len(packed.used) == 1


def test_gpus_are_kept_whole_the_empty_ones_first():
    fleet = cut([], [ONE], [])
    found = plan(fleet, [Want("1g.10gb", 1)], whole={"h100-sxm-80": 2})
    assert [each.gpu.whole for each in found.cuts] == [True, False, True]
    with pytest.raises(ProblemsError, match="GPUs of h100-sxm-80 to keep whole: found 4, allowed 0-3"):
        plan(fleet, [Want("1g.10gb", 1)], whole={"h100-sxm-80": 4})
    with pytest.raises(ProblemsError, match="unknown GPU to keep whole 'h100-sxm-8'"):
        plan(fleet, [Want("1g.10gb", 1)], whole={"h100-sxm-8": 1})


def test_products_are_mixed_by_the_share_that_a_name_stands_for():
    fleet = [MigGpu("a", 0, H100), MigGpu("b", 0, RTX), MigGpu("c", 0, gpus.gpu("h100-pcie-80"))]
    found = plan(fleet, [Want("1g.10gb", 8), Want("1g.24gb", 4)])
    assert [len(each.layout) for each in found.cuts] == [7, 4, 1]
    named = plan(fleet, [Want("1g.10gb", 2, "h100-pcie-80")])
    assert [len(each.layout) for each in named.cuts] == [0, 0, 2]


def test_a_name_that_means_two_shares_needs_its_product():
    fleet = [MigGpu("a", 0, gpus.gpu("h100-nvl-94")), MigGpu("b", 0, RTX)]
    with pytest.raises(ProblemsError, match="is not the same on these GPUs"):
        plan(fleet, [Want("1g.24gb", 1)])
    found = plan(fleet, [Want("1g.24gb", 1, "h100-nvl-94"), Want("1g.24gb", 2, "rtx-pro-6000-se")])
    assert [len(each.layout) for each in found.cuts] == [1, 2]


def test_all_that_is_wrong_with_a_fleet_is_told_at_once():
    fleet = [
        *cut([THREE, Placement(4, "2g.20gb")], [ONE], in_use=True, whole=True),
        MigGpu("a", 1, gpus.gpu("l40s")),
        MigGpu("b", -1, H100),
    ]
    with pytest.raises(ProblemsError) as caught:
        plan(fleet, [])
    told = "\n".join(caught.value.problems)
    for part in ("a/1: is there 2 times", "overlap", "can't become whole", "l40s: has no MIG", "index is found -1"):
        assert part in told


@pytest.mark.parametrize(
    ("wants", "said"),
    [
        ([Want("1g.11gb", 1)], r"unknown MIG profile '1g\.11gb' \(did you mean '1g\.10gb'\?\)"),
        ([Want("1g.10gb", -1)], r"MIG profile 1g\.10gb: found -1, allowed 0 or more"),
        ([Want("1g.10gb", 1, "l40s")], r"unknown GPU 'l40s'"),
        ([Want("1g.10gb", 1), Want("1g.10gb", 1, "h100-sxm-80")], r"is asked for with a product \(h100-sxm-80\) and"),
    ],
    ids=["profile", "negative", "product", "both"],
)
def test_wrong_wants_are_refused(wants, said):
    with pytest.raises(TesseraError, match=said):
        plan(fresh(H100, 2), wants)


def test_a_plan_of_1000_gpus_takes_few_steps(monkeypatch):
    """Steps, not seconds: a search that ran wild would use up all of what it is allowed."""
    looked = []
    deeper = fewest._Search.deeper
    monkeypatch.setattr(fewest._Search, "deeper", lambda *rest: looked.append(1) or deeper(*rest))
    counts = {"1g.10gb": 3300, "1g.20gb": 400, "2g.20gb": 780, "3g.40gb": 400, "4g.40gb": 100, "7g.80gb": 20}
    found = plan(fresh(H100, 1000), [Want(name, count) for name, count in counts.items()])
    assert (len(found.used), sum(counted(found).values())) == (1000, 5000)
    assert len(looked) < fewest.STEPS
