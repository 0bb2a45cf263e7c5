"""Examples: a pod for each class that claims its devices, ready for kubectl apply."""

from __future__ import annotations

from typing import Any

from tessera.dra.classes import BOARD, ServiceClass, class_claim
from tessera.dra.requirements import GPU, MIG
from tessera.dra.workloads import ClaimingWorkload, claim_object, controller
from tessera.hardware import boards

IMAGE = "registry.k8s.io/pause:3.10.2"
"""Waits and does nothing: what the pod got can be looked at."""

NOBODY = 65534
"""User that the pod runs as; any but root will do."""

_CPU, _MEMORY_GIB = {GPU: 2, MIG: 1}, {GPU: 8, MIG: 4}
"""Of the pod, for each device; small enough for any machine that has it."""


def example_count(level: ServiceClass) -> int:
    """Devices that an example asks for: the class's own count, or the GPUs of the largest board with NVLink."""
    if level.count != BOARD:
        return int(level.count)
    found = map(boards.board, boards.names())
    return max(len(board.seats) for board in found if (board.nvlink_gpus or 1) > 1)


def example(level: ServiceClass, namespace: str, count: int | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """A ResourceClaimTemplate and a Pod that uses it. count: devices; without it, example_count."""
    devices = example_count(level) if count is None else count
    workload = _workload(level, namespace, devices)
    pod = controller(workload)["spec"]["template"]
    metadata = {"name": workload.name, "namespace": namespace, "labels": pod["metadata"]["labels"]}
    return claim_object(workload), {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": pod["spec"]}


def _workload(level: ServiceClass, namespace: str, devices: int) -> ClaimingWorkload:
    name, kind = f"{level.name}-example", level.requires.device
    return ClaimingWorkload(
        name=name,
        namespace=namespace,
        replicas=1,
        container="main",
        image=IMAGE,
        claim_name="devices",
        claim=class_claim(level, devices),
        template=name,
        cpu=str(_CPU[kind] * devices),
        memory=f"{_MEMORY_GIB[kind] * devices}Gi",
        priority=level.priority,
        user=NOBODY,
    )
