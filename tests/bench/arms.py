"""Arms of the scheduling bench: each changes one thing against `guarded`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tessera.dra.requirements import Requirement
from tessera.dra.selectors import DRIVER, conjuncts
from tessera.scheduler import DEFAULT_PROFILE, Profile, Scheduler

ONE_GPU = Requirement(memory="80G")
GPU_PROFILE = "tessera-gpu"

SCORES = ("NodeResourcesBalancedAllocation", "ImageLocality")
"""Plugins that only rank nodes: a pod is placed where it may be with or without them."""

UNSAFE = ("PodTopologySpread", "InterPodAffinity", "NodePorts")
VOLUMES = ("VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone")
"""Plugins without which a pod that states such a wish is placed against it: measured, never shipped."""


def bare() -> tuple[str, ...]:
    """The least a class can say: whose devices."""
    return (f'device.driver == "{DRIVER}"',)


@dataclass(frozen=True)
class Arm:
    """One way to schedule. selector: conjuncts of the class; gates: the scheduler's feature gates, Name=false.

    by_pool: pods name their pool; pools: how many of equal size; slices: ResourceSlices a node; cards: whether
    network cards are published.
    """

    name: str
    tries: str
    selector: tuple[str, ...] = conjuncts(ONE_GPU)
    scheduler: Scheduler = field(default_factory=Scheduler)
    profile: str = DEFAULT_PROFILE
    gates: tuple[str, ...] = ()
    by_pool: bool = False
    pools: int = 5
    slices: int = 1
    cards: bool = True

    def device_class(self) -> dict[str, Any]:
        expression = " && ".join(self.selector)
        return {"metadata": {"name": "bench"}, "spec": {"selectors": [{"cel": {"expression": expression}}]}}


def _profile(name: str, tries: str, without: tuple[str, ...]) -> Arm:
    scheduler = Scheduler(profiles=(Profile(GPU_PROFILE, without=without),))
    return Arm(name, tries, scheduler=scheduler, profile=GPU_PROFILE)


ARMS: Mapping[str, Arm] = {
    arm.name: arm
    for arm in (
        Arm("guarded", "the selector of our classes for one whole GPU of 80 GB"),
        Arm("bare", "a class that names only the driver", selector=bare()),
        Arm("short", "driver and type, no memory", selector=conjuncts(Requirement())),
        Arm(
            "long",
            "compute capability besides",
            selector=conjuncts(Requirement(memory="80G", compute_capability="9.0.0")),
        ),
        Arm("costly-first", "the same selector from its end", selector=conjuncts(ONE_GPU)[::-1]),
        Arm(
            "by-pool",
            "pods name their pool, one of five, so other nodes fall before devices are looked at",
            by_pool=True,
        ),
        Arm("by-rack", "pods name their pool, one of twenty: 25 nodes each", by_pool=True, pools=20),
        Arm("score-20", "20 % of nodes are enough", scheduler=Scheduler(percentage_of_nodes_to_score=20)),
        Arm(
            "score-5",
            "5 % of nodes are enough; never fewer than 100",
            scheduler=Scheduler(percentage_of_nodes_to_score=5),
        ),
        Arm("parallel-1", "one node at once", scheduler=Scheduler(parallelism=1)),
        Arm("parallel-2", "two nodes at once", scheduler=Scheduler(parallelism=2)),
        Arm("parallel-4", "four nodes at once", scheduler=Scheduler(parallelism=4)),
        Arm("no-timeout", "no end to the search on one node", scheduler=Scheduler(filter_timeout_s=0)),
        _profile("no-scores", "without plugins that only rank nodes", SCORES),
        _profile(
            "no-plugins",
            "without volumes, ports, affinity and spread too: what could be won at most",
            (*SCORES, *UNSAFE, *VOLUMES),
        ),
        Arm("no-cards", "no slices of network cards", cards=False),
        Arm("by-rack-no-cards", "25 nodes each, and no slices of network cards", by_pool=True, pools=20, cards=False),
        Arm("two-slices", "the same devices in two slices a node", slices=2),
        Arm(
            "no-shared-capacity",
            "gate of consumable capacity off, which no device here has",
            gates=("DRAConsumableCapacity=false",),
        ),
        Arm("by-pool-score-5", "both together", by_pool=True, scheduler=Scheduler(percentage_of_nodes_to_score=5)),
    )
}
"""By name; `guarded` first, to which the others compare."""
