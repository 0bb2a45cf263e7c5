"""How near MIG plans come to the fewest GPUs, and what planning costs: `python -m tests.bench.mig`.

The optimum is CP-SAT's (OR-tools), on a model of its own: a yes or no for each placement on each GPU, and no patterns.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from typing import Any

from tessera.hardware import gpus, mig
from tessera.hardware.gpus import Gpu
from tessera.mig.demand import Want
from tessera.mig.fleet import fresh
from tessera.mig.plan import Plan, plan
from tests.bench.machine import machine

PRODUCTS = ("h100-sxm-80", "rtx-pro-6000-se")
FLEET, SMALL = 60, 8
"""GPUs of a case, and how many its demand would fill at most if only compute counted."""

LARGE = {"1g.10gb": 3300, "1g.20gb": 400, "2g.20gb": 780, "3g.40gb": 400, "4g.40gb": 100, "7g.80gb": 20}
"""5,000 instances, which 1,000 GPUs just hold."""


def run(cases: int, limit_s: float) -> dict[str, Any]:
    """Small cases against the optimum, then one large one on the clock."""
    gaps: Counter[str] = Counter()
    for seed in range(cases):
        gpu, wants = case(seed)
        found = len(plan(fresh(gpu, FLEET), [Want(name, count) for name, count in wants.items()]).used)
        least = optimum(gpu, wants, found, limit_s)
        gaps["not proven" if least is None else f"+{found - least}" if found > least else "equal"] += 1
        print(f"case {seed}: {found} GPUs, optimum {least}", file=sys.stderr, flush=True)
    return {"cases": cases, "gaps": dict(gaps), "large": large()}


def case(seed: int) -> tuple[Gpu, dict[str, int]]:
    """A random demand on one product."""
    chance = random.Random(seed)
    gpu = gpus.gpu(PRODUCTS[seed % len(PRODUCTS)])
    names = chance.sample([one.name for one in mig.profiles(gpu)], chance.randint(2, 6))
    room, wants = chance.randint(2, SMALL), Counter[str]()
    slices = room * mig.profiles(gpu)[0].compute_of
    while True:
        one = mig.profile(gpu, chance.choice(names))
        slices -= one.compute
        if slices < 0 or wants[one.name] == one.limit * room:
            return gpu, dict(sorted(wants.items()))
        wants[one.name] += 1


def optimum(gpu: Gpu, wants: dict[str, int], room: int, limit_s: float) -> int | None:
    """The fewest GPUs of this room by CP-SAT; None where it did not prove them in time."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        sys.exit("tests.bench.mig: OR-tools is not there; pip install ortools")
    model, profiles = cp_model.CpModel(), mig.profiles(gpu)
    used = [model.new_bool_var(f"used {at}") for at in range(room)]
    count = {(at, one.name): model.new_int_var(0, one.limit, "") for at in range(room) for one in profiles}
    media = max(one.media for one in profiles)
    for at in range(room):
        here = {(one.name, start): model.new_bool_var("") for one in profiles for start in one.starts}
        for slice_ in range(profiles[0].memory_of):
            model.add(
                sum(
                    here[one.name, start]
                    for one in profiles
                    for start in one.starts
                    if start <= slice_ < start + one.memory
                )
                <= used[at]
            )
        for one in profiles:
            model.add(count[at, one.name] == sum(here[one.name, start] for start in one.starts))
        model.add(sum(one.compute * count[at, one.name] for one in profiles) <= profiles[0].compute_of * used[at])
        model.add(sum(one.media * count[at, one.name] for one in profiles) <= media * used[at])
        if at:
            model.add_implication(used[at], used[at - 1])
    for one in profiles:
        model.add(sum(count[at, one.name] for at in range(room)) == wants.get(one.name, 0))
    model.minimize(sum(used))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds, solver.parameters.num_workers = limit_s, 1
    solver.parameters.symmetry_level = 2
    return round(solver.objective_value) if solver.solve(model) == cp_model.OPTIMAL else None


def large() -> dict[str, Any]:
    """1,000 GPUs and 5,000 instances: from nothing, again, and after a change of the demand. Seconds of one core."""
    gpu = gpus.gpu("h100-sxm-80")
    wants = [Want(name, count) for name, count in LARGE.items()]
    first, first_s = _timed(fresh(gpu, 1000), wants)
    there = [replace(one.gpu, layout=one.layout) for one in first.cuts]
    again, again_s = _timed(there, wants)
    changed = [replace(want, count=want.count * 9 // 10) for want in wants]
    after, after_s = _timed(there, changed)
    return {
        "gpus": 1000,
        "instances": sum(LARGE.values()),
        "first": {"cpu_s": first_s, "used": len(first.used)},
        "again": {"cpu_s": again_s, "moves": len(again.moves)},
        "a tenth less": {"cpu_s": after_s, "used": len(after.used), "fewest": after.fewest, "moves": len(after.moves)},
    }


def _timed(fleet: Any, wants: list[Want]) -> tuple[Plan, float]:
    start = time.process_time()
    found = plan(fleet, wants)
    return found, round(time.process_time() - start, 3)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.mig", description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--limit", type=float, default=60, help="seconds for the optimum of a case")
    said = parser.parse_args()
    print(json.dumps({"machine": machine(), **run(said.cases, said.limit)}, indent=2))
