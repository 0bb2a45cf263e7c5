"""What a plan prints is what the next one reads."""

import json

import pytest

from tessera.errors import ProblemsError
from tessera.hardware import gpus
from tessera.hardware.mig import Placement
from tessera.mig.demand import Want
from tessera.mig.fleet import fresh
from tessera.mig.picture import picture, slice_width
from tessera.mig.plain import fleet, plain
from tessera.mig.plan import plan

WANTS = [Want("3g.40gb", 2), Want("1g.10gb", 5)]


def first():
    return plan(fresh(gpus.gpu("h100-sxm-80"), 3), WANTS)


def test_a_printed_plan_is_read_as_the_fleet_that_it_makes():
    again = plan(fleet(json.loads(json.dumps(plain(first()))), "layout.json"), WANTS)
    assert again.moves == ()
    assert [each.layout for each in again.cuts] == [each.layout for each in first().cuts]


def test_the_plan_is_the_golden_one(golden):
    golden("plan", plain(first()))


def test_all_mistakes_of_a_layout_are_told_at_once():
    rows = [
        {"node": 1, "index": "x", "gpu": "h100", "layuot": []},
        "nothing",
        {"node": "a", "index": True, "gpu": "h100-sxm-80", "layout": ["3g.40gb", "3g.40gb@x"], "in_use": "yes"},
        {"node": "a", "index": 0, "gpu": "h100-sxm-80", "layout": "3g.40gb@0"},
    ]
    with pytest.raises(ProblemsError) as caught:
        fleet(rows, "l.json")
    told = [problem.removeprefix("l.json: GPU ") for problem in caught.value.problems]
    assert [problem[:20] for problem in told] == [
        "1: unknown key 'layu", "1: node: found 1, al", "1: index: found 'x',", "1: unknown GPU 'h100",
        "2: found 'nothing', ", "3: index: found True", "3: in_use: found 'ye", "3: layout: found '3g",
        "3: layout: found '3g", "4: layout: found '3g",
    ]  # fmt: skip


@pytest.mark.parametrize("value", [[], {}, {"gpus": []}, "a", None], ids=["list", "mapping", "gpus", "text", "null"])
def test_a_layout_without_gpus_is_refused(value):
    with pytest.raises(ProblemsError, match=r"^l\.json: found no GPUs"):
        fleet(value, "l.json")


def test_a_layout_is_drawn_to_scale():
    layout = (Placement(0, "1g.10gb"), Placement(4, "3g.40gb"))
    width = slice_width("h100-sxm-80", [layout])
    assert picture("h100-sxm-80", layout, width) == "[1g.10gb]" + "." * 27 + "[3g.40gb" + "." * 27 + "]"
    assert picture("h100-sxm-80", (), 3) == "." * 24
