"""GPUs that are cut on demand: the whole one and every MIG device it could become, sharing counters.

Facts: driver v0.5 with DynamicMIG, cmd/gpu-kubelet-plugin/partitions.go and driver.go (generateSplitResourceSlices).
A GPU that can't change its MIG mode while it runs (before Hopper) stays whole and has no counters. A MIG device
that is not yet there has no uuid.
"""

from __future__ import annotations

from typing import Any

from tessera.dra.capacities import MEMORY, capacity, counters, maxima, of_profile
from tessera.dra.gpu_devices import Placed, common, gpu_device, present
from tessera.hardware.gpus import Gpu
from tessera.hardware.mig import MigProfile, cut_on_demand, device_name, profiles


def partitions(placed: Placed) -> list[dict[str, Any]]:
    """All devices of one GPU, sorted by name: an unconstrained claim takes the first that fits."""
    if not cut_on_demand(placed.gpu):
        return [gpu_device(placed)]
    shared = {"parentUUID": {"string": placed.uuid}, **present(common(placed))}
    cut = [_mig_device(placed, shared, one, start) for one in profiles(placed.gpu) for start in one.starts]
    return sorted([_whole(placed), *cut], key=lambda device: str(device["name"]))


def counter_sets(placed: Placed) -> list[dict[str, Any]]:
    """The GPU's counter set; none where it stays whole."""
    if not cut_on_demand(placed.gpu):
        return []
    return [{"name": _set_name(placed), "counters": counters(maxima(placed.gpu), range(_slices(placed.gpu)))}]


def _mig_device(placed: Placed, shared: dict[str, Any], found: MigProfile, start: int) -> dict[str, Any]:
    """The MIG device of a profile at a memory slice. It takes only what the GPU has a counter for."""
    own = {"type": {"string": "mig"}, "profile": {"string": found.name}}
    amounts, most = of_profile(found), maxima(placed.gpu)
    counted = {name: amount for name, amount in amounts.items() if name in most}
    return {
        "name": device_name(placed.minor, found, start),
        "attributes": {**own, **shared},
        "capacity": capacity(amounts),
        "consumesCounters": [_taken(placed, counters(counted, range(start, start + found.memory)))],
    }


def _whole(placed: Placed) -> dict[str, Any]:
    """The whole GPU takes every counter; its capacity is the most of any profile, or NVML's total where unknown."""
    device, most = gpu_device(placed), maxima(placed.gpu)
    amounts = most if MEMORY in most or placed.gpu.memory_mib is None else {**most, MEMORY: placed.gpu.memory_mib}
    device["capacity"] = capacity(amounts)
    device["consumesCounters"] = [_taken(placed, counters(most, range(_slices(placed.gpu))))]
    return device


def _taken(placed: Placed, amounts: dict[str, Any]) -> dict[str, Any]:
    return {"counterSet": _set_name(placed), "counters": amounts}


def _set_name(placed: Placed) -> str:
    return f"{placed.name}-counter-set"


def _slices(gpu: Gpu) -> int:
    return max(one.memory for one in profiles(gpu))
