"""Extended resources: what a node counts where NVIDIA's device plugin hands out its GPUs, computed from the plan."""

from __future__ import annotations

from collections import Counter

from tessera.hardware.machines import Machine
from tessera.hardware.mig import profile
from tessera.sharing.way import Way

GPU = "nvidia.com/gpu"


def advertised(machine: Machine, way: Way) -> dict[str, int]:
    """Counts by resource on one node; none where claims serve it. Raises TesseraError for an unknown profile."""
    found = Counter[str]()
    if way.allocator == "device-plugin":
        for part in way.by_gpu(machine.count):
            found.update({profile(machine.gpu, name).resource: each * pods(way, name) for name, each in part.items()})
            found[GPU] += 0 if part else way.replicas
    return {name: count for name, count in sorted(found.items()) if count}


def pods(way: Way, name: str) -> int:
    """Pods on one MIG device of a profile."""
    return way.slices.get(name, 1)
