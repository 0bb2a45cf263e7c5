"""How full GPUs get before demand has to wait: the same queue of tasks, placed by the real scheduler in every arm.

Nothing ends: tasks are offered up to each step of demand, and measured once every pod is placed or found to fit
nowhere. So the figures say what allocation alone makes possible; they say nothing of how busy devices are.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lab.client import RESOURCE_API
from lab.record import LabSpec
from tessera.dra.selectors import NIC_DRIVER
from tessera.hardware.boards import Board, board
from tessera.scheduler import Profile, Scheduler, configuration
from tests.bench import metrics
from tests.bench.bed import CLAIMS, PODS, TEMPLATES, Bed, bed, say
from tests.bench.demand import Task, demand, profile_of
from tests.bench.layout import best_layout
from tests.bench.room import SLICES, Wish, fragmentation, requested
from tests.bench.sharing import Arm, arms
from tests.bench.summary import summary, verdict
from tests.waiting import wait_until

SLICES_PATH = f"{RESOURCE_API}/resourceslices"
PENDING = "scheduler_pending_pods"
SAMPLE = 20000
"""GPUs of the demand from which the frequency of wishes is taken."""

SAMPLE_SEED = 999


def run(
    nodes: int, seeds: Iterable[int], percents: Sequence[int], names: Sequence[str] = (), kind: str = "hgx-h100"
) -> dict[str, Any]:
    """Every arm with every seed. percents: steps of demand, in percent of all GPUs; names: of arms, none is all.

    kind: board of each node. A pod's search costs as much as all nodes together publish devices: some 26 a GPU with
    MIG on demand.
    """
    hardware, seeds = board(kind), list(seeds)
    layout = best_layout(hardware, nodes, percents)
    found = arms(hardware, layout)
    rows = [row for name in names or found for row in _arm(found[name], nodes, seeds, percents)]
    return {
        "nodes": nodes,
        "board": hardware.key,
        "gpus": nodes * len(hardware.seats),
        "seeds": seeds,
        "layout_of_static_mig": layout,
        "arms": {name: found[name].summary for name in names or found},
        "rows": rows,
        "summary": summary(rows),
        "verdict": verdict(rows),
    }


def _arm(arm: Arm, nodes: int, seeds: Sequence[int], percents: Sequence[int]) -> list[dict[str, Any]]:
    with bed(LabSpec("bench", "1.36", arm.pools(nodes))) as found:
        for manifest in arm.classes():
            found.create(f"{RESOURCE_API}/deviceclasses", manifest)
        found.remove_all(SLICES_PATH, fieldSelector=f"spec.driver={NIC_DRIVER}")  # no task asks for a network card
        scheduler = Scheduler(profiles=(Profile(scoring=arm.scoring),))
        kubeconfig = str(found.lab.home.conf / "kube-scheduler.kubeconfig")
        found.restart_scheduler(configuration(scheduler, kubeconfig))
        rows = []
        for seed in seeds:
            rows += _seed(found, arm, seed, nodes, percents)
            found.clear()
            found.remove_all(TEMPLATES)
    return rows


def _seed(found: Bed, arm: Arm, seed: int, nodes: int, percents: Sequence[int]) -> list[dict[str, Any]]:
    seats = len(arm.board.seats)
    gpus = nodes * seats
    queue = demand(seed, gpus * max(percents) / 100, seats)
    if templates := arm.templates(queue):
        found.create_all(TEMPLATES, templates)
    rows, offered, seconds = [], 0, 0.0
    for percent in sorted(percents):
        wanted = len(demand(seed, gpus * percent / 100, seats))
        began = time.monotonic()
        found.create_all(PODS, [arm.pod(task) for task in queue[offered:wanted]])
        offered = wanted
        _settle(found, offered)
        seconds += time.monotonic() - began
        figures = _figures(found, arm, queue[:offered])
        rows.append({"arm": arm.name, "seed": seed, "demand_percent": percent, **figures, "seconds": round(seconds, 2)})
    say(f"saturation: {arm.name}, seed {seed}: {rows[-1]['placed']} of {rows[-1]['pods']} pods in {seconds:.1f} s")
    return rows


def _settle(found: Bed, pods: int) -> None:
    """Wait until every pod is bound, or waits in the scheduler's queue for something to change."""

    def settled() -> bool:
        time.sleep(0.1)
        samples = metrics.parse(metrics.scrape(found.lab), PENDING)
        waiting = {sample.labels["queue"]: int(sample.value) for sample in samples}
        if waiting.get("active") or waiting.get("backoff") or waiting.get("gated"):
            return False
        bound = len(found.items(PODS, fieldSelector="spec.nodeName!="))
        return bound + waiting.get("unschedulable", 0) == pods

    wait_until(settled, "the scheduler's verdict on every pod", 60 + pods)


def _figures(found: Bed, arm: Arm, queue: Sequence[Task]) -> dict[str, Any]:
    placed = _placed(found, queue)
    claims = found.items(CLAIMS)
    rooms = arm.rooms(found.items("/api/v1/nodes"), placed, claims)
    capacity = sum(SLICES * len(room.taken) for room in rooms)
    allocated = sum(room.allocated for room in rooms) / capacity
    asked = requested(task for task, _ in placed.values()) * SLICES / capacity
    waiting = Counter(task.size for task in queue if task.number not in placed)
    return {
        "pods": len(queue),
        "demand_gpus": round(requested(queue), 3),
        "placed": len(placed),
        "never_placed": len(queue) - len(placed),
        "pending_by_size": dict(sorted(waiting.items())),
        "allocated": round(allocated, 4),
        "requested": round(asked, 4),
        "rounding_loss": round(allocated - asked, 4),
        "fragmentation": round(fragmentation(rooms, wishes(arm.board)), 4),
    }


def _placed(found: Bed, queue: Sequence[Task]) -> dict[int, tuple[Task, str]]:
    bound = found.items(PODS, fieldSelector="spec.nodeName!=")
    numbers = {int(pod["metadata"]["name"].removeprefix("task-")): pod["spec"]["nodeName"] for pod in bound}
    return {number: (queue[number], node) for number, node in numbers.items()}


def wishes(hardware: Board) -> Mapping[Wish, float]:
    """How often a random task wants what, by a long sample of the demand."""
    sample = demand(SAMPLE_SEED, SAMPLE, len(hardware.seats))
    return Counter((task.gpus, profile_of(task, hardware.gpu)) for task in sample)
