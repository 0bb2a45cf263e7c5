"""How fast pods with claims are placed: real API server, scheduler and claim controller, simulated nodes."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lab.client import RESOURCE_API
from lab.record import LabSpec, NodePool
from tessera.dra.selectors import NIC_DRIVER
from tessera.scheduler import configuration
from tests.bench import metrics
from tests.bench.arms import ARMS, Arm
from tests.bench.bed import PODS, TEMPLATES, Bed, bed, say
from tests.bench.metrics import Sample
from tests.waiting import wait_until

ALGORITHM = "scheduler_scheduling_algorithm_duration_seconds"
ATTEMPT = "scheduler_scheduling_attempt_duration_seconds"
ATTEMPTS = "scheduler_schedule_attempts_total"
PLUGINS = "scheduler_plugin_execution_duration_seconds"
POINTS = "scheduler_framework_extension_point_duration_seconds"
PER_POD_S = 1.0
"""How long a pod may take on average before a load counts as stuck."""


def run(names: Sequence[str], nodes: int, loads: Sequence[int], arrivals: Sequence[str], rate: float) -> dict[str, Any]:
    """Every arm with every load. rate: pods a second where they arrive steadily; arrivals: burst, steady."""
    rows = [
        _measured(ARMS[name], nodes, pods, arrival, rate) for name in names for pods in loads for arrival in arrivals
    ]
    return {"nodes": nodes, "gpus_per_node": 8, "rows": rows}


def spec(nodes: int, count: int) -> LabSpec:
    """So many equal pools of HGX H100."""
    sizes = [nodes // count + (number < nodes % count) for number in range(count)]
    pools = (NodePool(f"pool-{number}", "hgx-h100", size) for number, size in enumerate(sizes) if size)
    return LabSpec("bench", "1.36", tuple(pools))


def _measured(arm: Arm, nodes: int, pods: int, arrival: str, rate: float) -> dict[str, Any]:
    say(f"scheduling: {arm.name}, {nodes} nodes, {pods} pods, {arrival}")
    with bed(spec(nodes, arm.pools)) as found:
        prepare(found, arm)
        row = load(found, [pod(arm, number) for number in range(pods)], rate if arrival == "steady" else None)
    say(f"  {row['pods_per_s']} pods/s, {row['algorithm']['share_up_to_16ms']} up to 16 ms")
    head = {"arm": arm.name, "tries": arm.tries, "selector": " && ".join(arm.selector)}
    return {**head, "arrival": arrival, "rate_per_s": rate if arrival == "steady" else None, **row}


def prepare(found: Bed, arm: Arm) -> None:
    """Class, template, slices and scheduler of an arm on a fresh lab."""
    found.create(f"{RESOURCE_API}/deviceclasses", arm.device_class())
    request = {"name": "gpu", "exactly": {"deviceClassName": "bench"}}
    template = {"metadata": {"name": "gpu"}, "spec": {"spec": {"devices": {"requests": [request]}}}}
    found.create(TEMPLATES, template)
    if not arm.cards:
        found.remove_all(f"{RESOURCE_API}/resourceslices", fieldSelector=f"spec.driver={NIC_DRIVER}")
    if arm.slices > 1:
        _cut(found, arm.slices)
    document = configuration(arm.scheduler, str(found.lab.home.conf / "kube-scheduler.kubeconfig"))
    found.restart_scheduler(document, arm.gates)


def pod(arm: Arm, number: int) -> dict[str, Any]:
    """A pod with a claim of its own."""
    container = {
        "name": "work",
        "image": "work",
        "resources": {"claims": [{"name": "gpu"}], "requests": {"cpu": "1", "memory": "1Gi"}},
    }
    chosen = {"nodeSelector": {"tessera.dev/pool": f"pool-{number % arm.pools}"}} if arm.by_pool else {}
    return {
        "metadata": {"name": f"pod-{number}"},
        "spec": {
            "schedulerName": arm.profile,
            "containers": [container],
            "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}],
            **chosen,
        },
    }


def load(found: Bed, pods: Sequence[dict[str, Any]], rate: float | None) -> dict[str, Any]:
    """Create pods, at once or at a rate, and wait until all are bound."""
    before = _read(found)
    began = time.monotonic()
    if rate is None:
        found.create_all(PODS, pods)
    else:
        found.create_at(PODS, pods, rate, batch=max(1, round(rate / 10)))
    created = time.monotonic() - began
    goal = metrics.counter(before, ATTEMPTS, result="scheduled") + len(pods)
    wait_until(lambda: _scheduled(found) >= goal, f"the placement of {len(pods)} pods", 60 + len(pods) * PER_POD_S)
    seconds = time.monotonic() - began
    unbound = found.items(PODS, fieldSelector="spec.nodeName=")
    assert not unbound, f"{len(unbound)} pods that the scheduler counts are bound to no node"
    return {"pods": len(pods), **_figures(before, _read(found), len(pods), created, seconds)}


def _scheduled(found: Bed) -> int:
    time.sleep(0.1)  # asking costs the scheduler time, too
    return metrics.counter(_read(found, ATTEMPTS), ATTEMPTS, result="scheduled")


def _read(found: Bed, *names: str) -> list[Sample]:
    return metrics.parse(metrics.scrape(found.lab), *(names or (ALGORITHM, ATTEMPT, ATTEMPTS, PLUGINS, POINTS)))


def _figures(before: list[Sample], after: list[Sample], pods: int, created: float, seconds: float) -> dict[str, Any]:
    algorithm = metrics.histogram(after, ALGORITHM).since(metrics.histogram(before, ALGORITHM))
    scheduled = [metrics.histogram(samples, ATTEMPT, result="scheduled") for samples in (before, after)]
    results = sorted({sample.labels["result"] for sample in after if sample.name == ATTEMPTS})
    counts = {
        said: metrics.counter(after, ATTEMPTS, result=said) - metrics.counter(before, ATTEMPTS, result=said)
        for said in results
    }
    return {
        "seconds": round(seconds, 2),
        "created_in_s": round(created, 2),
        "pods_per_s": round(pods / seconds, 1),
        "algorithm": algorithm.document(),
        "attempt": scheduled[1].since(scheduled[0]).document(),
        "attempts": counts,
        "verdict": "reached" if (algorithm.share_up_to(0.016) or 0) >= 0.99 else "not reached",
        "points": _points(before, after),
        "plugins": _plugins(before, after),
    }


def _points(before: list[Sample], after: list[Sample]) -> dict[str, float]:
    """Mean milliseconds of an extension point (all its plugins), where it was called."""
    return dict(_means(before, after, POINTS, ("extension_point",)))


def _plugins(before: list[Sample], after: list[Sample]) -> dict[str, float]:
    """Mean milliseconds of one call of a plugin, the ten dearest; the scheduler samples one pod in ten."""
    rows = sorted(_means(before, after, PLUGINS, ("extension_point", "plugin")), key=lambda row: -row[1])
    return dict(rows[:10])


def _means(before: list[Sample], after: list[Sample], name: str, keys: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    for labels in _labels(after, f"{name}_sum", keys):
        pair = [metrics.histogram(samples, name, **labels) for samples in (before, after)]
        gained = pair[1].since(pair[0])
        if gained.count:
            yield "/".join(labels.values()), round(1000 * gained.total_s / gained.count, 4)


def _labels(samples: Iterable[Sample], name: str, keys: tuple[str, ...]) -> list[dict[str, str]]:
    found = {tuple(sample.labels[key] for key in keys) for sample in samples if sample.name == name}
    return [dict(zip(keys, values, strict=True)) for values in sorted(found)]


def _cut(found: Bed, parts: int) -> None:
    """Publish each node's devices in several slices instead of one."""
    path = f"{RESOURCE_API}/resourceslices"
    whole = found.items(path)
    found.remove_all(path)
    found.create_all(path, [piece for one in whole for piece in _pieces(one, parts)])


def _pieces(whole: dict[str, Any], parts: int) -> Iterator[dict[str, Any]]:
    for number in range(parts):
        spec = copy.deepcopy(whole["spec"])
        spec["devices"] = spec["devices"][number::parts]
        spec["pool"]["resourceSliceCount"] = parts
        name = f"{whole['metadata']['name']}-{number}"
        owners = whole["metadata"].get("ownerReferences", [])
        yield {"metadata": {"name": name, "ownerReferences": owners}, "spec": spec}
