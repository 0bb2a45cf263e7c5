"""Criteria: what a recipe's layers ask of a stack. Those of the cluster hold once, those of a pool for each pool."""

from __future__ import annotations

from dataclasses import dataclass

from tessera.spec import machines
from tessera.spec.cluster import Cluster
from tessera.spec.pool import Pool


@dataclass(frozen=True)
class ClusterCriteria:
    """Of the whole cluster. kubernetes: minor version; intent: None where the stack states none."""

    service: str
    kubernetes: str
    intent: str | None
    framework: str


@dataclass(frozen=True)
class PoolCriteria:
    """Of one pool. accelerator, gpu, architecture: None for machines without GPUs; os: None where a lab states none.

    accelerator: the word for the GPU; gpu: the product; architecture: of the processor, amd64 or arm64.
    """

    accelerator: str | None
    gpu: str | None
    architecture: str | None
    os: str | None
    sharing: str


def cluster_criteria(cluster: Cluster) -> ClusterCriteria:
    """Criteria of a cluster."""
    return ClusterCriteria(cluster.service, cluster.kubernetes, cluster.intent, cluster.framework)


def pool_criteria(pool: Pool) -> PoolCriteria:
    """Criteria of a pool; accelerator and architecture follow from its instance or board."""
    machine = machines.known(pool.board, pool.instance)
    if machine is None:
        return PoolCriteria(None, None, None, pool.os, pool.sharing_kind)
    return PoolCriteria(machine.accelerator, machine.gpu.key, machine.architecture, pool.os, pool.sharing_kind)


def stated(part: Cluster | Pool) -> frozenset[str]:
    """Criteria that the file states rather than leaves to a default; what follows from a machine is stated with it."""
    if isinstance(part, Cluster):
        return frozenset(part.model_fields_set)
    derived = ("accelerator", "gpu", "architecture") if part.board or part.instance else ()
    return frozenset(part.model_fields_set & {"os", "sharing"}) | frozenset(derived)
