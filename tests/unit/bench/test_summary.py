"""Medians over seeds, and the sentence on the claim."""

import pytest

from tests.bench.page import page
from tests.bench.summary import FIGURES, spread, summary, verdict

FLAT = dict.fromkeys(FIGURES, 0.0)


def rows(**requested):
    """Two seeds of each arm at one demand."""
    return [
        {
            **FLAT,
            "arm": arm.replace("_", "-"),
            "seed": seed,
            "demand_percent": 110,
            "requested": share,
            "allocated": 0.9,
        }
        for arm, share in requested.items()
        for seed in (0, 1)
    ]


def test_the_same_values_give_the_same_interval():
    assert spread([0.1, 0.5, 0.9]) == spread([0.1, 0.5, 0.9])


@pytest.mark.parametrize("values", [[0.5], [0.1, 0.2, 0.9], [3, 1, 2, 2]], ids=["one", "three", "four"])
def test_the_interval_lies_around_the_median_and_inside_what_was_seen(values):
    found = spread(values)
    assert found["min"] <= found["ci95_low"] <= found["median"] <= found["ci95_high"] <= found["max"]


def test_each_arm_and_demand_has_one_line():
    assert [(line["arm"], line["demand_percent"]) for line in summary(rows(plugin_whole=0.3, dra_mig=0.9))] == [
        ("plugin-whole", 110),
        ("dra-mig", 110),
    ]


@pytest.mark.parametrize(
    ("whole", "cut", "said"),
    [(0.35, 0.85, "was seen"), (0.8, 0.9, "was not seen"), (0.35, 0.7, "was not seen")],
    ids=["as-claimed", "high-from-the-start", "not-high-enough"],
)
def test_the_claim_is_seen_only_where_both_ends_are(whole, cut, said):
    assert f"above 80 % {said} " in verdict(rows(plugin_whole=whole, dra_mig=cut))


def test_the_page_has_a_row_for_each_line_of_the_summary():
    found = rows(plugin_whole=0.3, dra_mig=0.9)
    result = {
        "machine": {"cores": 2, "architecture": "x86_64", "system": "Linux"},
        "saturation": {
            "nodes": 60,
            "board": "pcie-h100-nvl",
            "gpus": 120,
            "seeds": [0, 1],
            "layout_of_static_mig": {"whole": 52, "3g.47gb": 8},
            "summary": summary(found),
            "verdict": verdict(found),
        },
    }
    text = page([result])
    assert "| plugin-whole | 110 % | 90.0 % |" in text
    assert "60 nodes pcie-h100-nvl, 120 GPUs, 2 seeds; static MIG: 52 nodes whole, 8 nodes 3g.47gb." in text
