"""A demand that does not fit: the most that does, the reason, the ways out."""

import re

import pytest

from tessera.errors import ProblemsError
from tessera.hardware import gpus
from tessera.hardware.mig import Placement
from tessera.mig.demand import Want
from tessera.mig.fleet import MigGpu, fresh
from tessera.mig.plan import plan

H100, RTX = gpus.gpu("h100-sxm-80"), gpus.gpu("rtx-pro-6000-se")


def told(fleet, wants, **more):
    with pytest.raises(ProblemsError) as caught:
        plan(fleet, wants, **more)
    return caught.value.problems


def test_the_most_that_fits_is_told_with_what_is_missing_and_the_nearest_ways_out():
    where = "MIG demand on 2 x h100-sxm-80: "
    assert told(fresh(H100, 2), [Want("3g.40gb", 5), Want("1g.10gb", 1)]) == (
        f"{where}3g.40gb: found 5 wanted, allowed 4 beside the rest, which is 1 too many; alone at most 4 fit",
        f"{where}1g.10gb: found 1 wanted, allowed 0 beside the rest, which is 1 too many; alone at most 14 fit",
        f"{where}the most that fits, large profiles first, is 4 of 5 x 3g.40gb, 0 of 1 x 1g.10gb",
        f"{where}compute slices run out, found 16 wanted, allowed 14; memory slices run out, found 21 wanted, "
        "allowed 16; GPUs that may be cut: 2",
        f"{where}ask for less; or add 1 x h100-sxm-80",
    )


def test_with_as_many_gpus_more_as_it_says_it_fits():
    wants = [Want("3g.40gb", 9), Want("2g.20gb", 7), Want("1g.10gb", 30)]
    (number,) = re.findall(r"add (\d+) x h100-sxm-80", "\n".join(told(fresh(H100, 4), wants)))
    assert plan(fresh(H100, 4 + int(number)), wants)
    assert told(fresh(H100, 4 + int(number) - 1), wants)


def test_the_most_that_fits_does_fit():
    wants = [Want("4g.40gb", 1), Want("3g.40gb", 4), Want("1g.10gb", 9)]
    (line,) = [line for line in told(fresh(H100, 3), wants) if "the most that fits" in line]
    most = [Want(name, int(fit)) for fit, name in re.findall(r"(\d+) of \d+ x (\S+?)(?:,|$)", line)]
    assert plan(fresh(H100, 3), most)


def test_a_smaller_profile_that_still_fits_is_offered():
    said = told(fresh(H100, 1), [Want("4g.40gb", 2)])
    assert "take 1 x 3g.40gb in place of 4g.40gb" in said[-1]


def test_where_slices_are_enough_it_says_that_starts_are_not():
    said = told(fresh(H100, 2), [Want("4g.40gb", 3)])
    assert "there is enough of each, but profiles start only at some slices" in said[-2]


def test_media_engines_run_out_too():
    said = told(fresh(RTX, 1), [Want("1g.24gb+me.all", 1), Want("1g.24gb", 1)])
    assert "sets of media engines run out, found 5 wanted, allowed 4" in said[-2]


def test_gpus_that_may_not_be_cut_are_told():
    busy = MigGpu("a", 0, H100, (Placement(4, "3g.40gb"),), in_use=True)
    said = told([busy, *fresh(H100, 2)], [Want("7g.80gb", 2)], whole={"h100-sxm-80": 1})
    assert "may be cut: 1 (1 is kept whole, 1 is in use)" in said[-2]


def test_without_a_gpu_to_cut_nothing_fits():
    assert "there is no GPU to cut" in told(fresh(H100, 1), [Want("1g.10gb", 1)], whole={"h100-sxm-80": 1})[0]
