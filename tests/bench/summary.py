"""Medians over seeds, and what they say of the claim that sharing by DRA takes GPUs from 35 % to above 80 %."""

from __future__ import annotations

import random
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

FIGURES = ("allocated", "requested", "rounding_loss", "fragmentation", "never_placed", "seconds")
RESAMPLES = 2000

Row = Mapping[str, Any]


def summary(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One line for each arm and step of demand; of each figure the median, its 95 % interval, least and most."""
    groups: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["arm"], row["demand_percent"]), []).append(row)
    return [
        {"arm": arm, "demand_percent": percent, **{key: spread([row[key] for row in group]) for key in FIGURES}}
        for (arm, percent), group in groups.items()
    ]


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median with an interval by bootstrap: the same values give the same interval."""
    draw = random.Random(0)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(RESAMPLES))
    low, high = medians[round(0.025 * RESAMPLES)], medians[round(0.975 * RESAMPLES) - 1]
    found = {
        "median": statistics.median(values),
        "ci95_low": low,
        "ci95_high": high,
        "min": min(values),
        "max": max(values),
    }
    return {key: round(value, 4) for key, value in found.items()}


def verdict(rows: Sequence[Row]) -> str:
    """The claim against the medians at the highest demand, in one sentence."""
    top = max(row["demand_percent"] for row in rows)
    lines = {line["arm"]: line for line in summary([row for row in rows if row["demand_percent"] == top])}

    def share(arm: str, figure: str) -> str:
        return f"{100 * lines[arm][figure]['median']:.0f} %"

    told = [
        f"{arm} allocates {share(arm, 'allocated')} of all GPUs, and {share(arm, 'requested')} are truly needed"
        for arm in lines
    ]
    base, best = lines.get("plugin-whole"), max(lines.values(), key=lambda line: line["requested"]["median"])
    seen = base is not None and base["requested"]["median"] <= 0.4 and best["requested"]["median"] > 0.8
    end = "was seen" if seen else "was not seen"
    return f"At {top} % demand {'; '.join(told)}. A step from 35 % to above 80 % {end} with this demand."
