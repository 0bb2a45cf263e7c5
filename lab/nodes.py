"""Simulated GPU nodes: what each looks like, and how the API server is brought to hold just these.

A node and its slice carry a digest of what they were made from, so an unchanged node costs no request.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from lab.client import Client
from lab.record import LabSpec, NodePool
from tessera.dra import slices
from tessera.hardware.boards import Board, board
from tessera.hardware.rows import say

POOL_LABEL = "tessera.dev/pool"
DIGEST = "lab.tessera.dev/digest"
LINES = 8
"""Requests under way at once; more gains nothing on two cores."""


@dataclass(frozen=True)
class SimulatedNode:
    """A node and its slice, as manifests."""

    name: str
    node: dict[str, Any]
    slice: dict[str, Any]


@dataclass(frozen=True)
class Change:
    """What a publication did: counts of nodes."""

    added: int = 0
    removed: int = 0
    replaced: int = 0


def simulate(spec: LabSpec) -> list[SimulatedNode]:
    """Every node of a lab, pool by pool."""
    return [_simulated(spec.name, pool, number) for pool in spec.pools for number in range(pool.size)]


def publish(client: Client, wanted: Iterable[SimulatedNode], stopped: Callable[[], bool] = lambda: False) -> Change:
    """Bring the API server's nodes and slices to exactly these. Safe to repeat, and to stop in between."""
    nodes = {node.name: node for node in wanted}
    found = client.node_digests(POOL_LABEL, DIGEST)
    complete = client.slice_digests(DIGEST)
    extra = [name for name in found if name not in nodes]
    stale = [name for name, node in nodes.items() if name in found and found[name] != _digest_of(node)]
    missing = [name for name in nodes if name not in found]
    unsliced = [name for name in nodes if name not in (*stale, *missing) and complete.get(name) != found[name]]
    _each(client.remove_node, [*extra, *stale], stopped)
    _each(lambda name: _add(client, nodes[name]), [*stale, *missing], stopped)
    _each(lambda name: client.replace_slice(nodes[name].slice, name), unsliced, stopped)
    return Change(len(missing), len(extra), len(stale) + len(unsliced))


def _add(client: Client, node: SimulatedNode) -> None:
    client.create_node(node.node)
    client.replace_slice(node.slice, node.name)


def _each(act: Callable[[str], None], names: list[str], stopped: Callable[[], bool]) -> None:
    def go_on(name: str) -> None:
        if not stopped():
            act(name)

    with ThreadPoolExecutor(LINES) as pool:
        list(pool.map(go_on, names))


def _simulated(lab: str, pool: NodePool, number: int) -> SimulatedNode:
    hardware, name = board(pool.board), f"{pool.name}-{number}"
    node, published = _node(name, lab, pool, hardware), slices.node_slice(name, hardware)
    digest = hashlib.sha256(json.dumps([node, published], sort_keys=True).encode()).hexdigest()[:16]
    for manifest in (node, published):
        manifest["metadata"].setdefault("annotations", {})[DIGEST] = digest
    return SimulatedNode(name, node, published)


def _digest_of(node: SimulatedNode) -> str:
    return str(node.node["metadata"]["annotations"][DIGEST])


def _node(name: str, lab: str, pool: NodePool, hardware: Board) -> dict[str, Any]:
    resources = {"cpu": str(hardware.cpu), "memory": f"{hardware.memory_gib}Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": _labels(name, lab, pool, hardware),
            "annotations": {"kwok.x-k8s.io/node": "fake"},
        },
        "status": {
            "capacity": resources,
            "allocatable": resources,
            "nodeInfo": _info(hardware),
        },
    }


def _labels(name: str, lab: str, pool: NodePool, hardware: Board) -> dict[str, str]:
    """Labels of a real GPU node: Kubernetes' own, and those of NVIDIA's feature discovery."""
    return {
        "kubernetes.io/arch": hardware.architecture,
        "kubernetes.io/os": "linux",
        "kubernetes.io/hostname": name,
        "node.kubernetes.io/instance-type": hardware.key,
        "nvidia.com/gpu.present": "true",
        "nvidia.com/gpu.product": say(hardware.gpu.product).replace(" ", "-"),
        "nvidia.com/gpu.count": str(len(hardware.seats)),
        "nvidia.com/gpu.memory": say(hardware.gpu.memory_mib),
        POOL_LABEL: pool.name,
        "tessera.dev/lab": lab,
    }


def _info(hardware: Board) -> Mapping[str, str]:
    blank = ("bootID", "machineID", "systemUUID", "kernelVersion", "kubeProxyVersion")
    return {
        **dict.fromkeys(blank, ""),
        "architecture": hardware.architecture,
        "operatingSystem": "linux",
        "osImage": "simulated",
        "kubeletVersion": "simulated",
        "containerRuntimeVersion": "simulated",
    }
