"""Simulated GPU nodes: what each looks like, and how the API server is brought to hold just these.

A node and its slices carry a digest of what they were made from, so an unchanged node costs no request.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from lab.client import Client
from lab.device_plugin import advertise
from lab.labels import POOL_LABEL, node_labels
from lab.record import LabSpec, NodePool
from tessera.dra import slices
from tessera.hardware.boards import Board, board
from tessera.sharing.files import Files, files

DIGEST = "lab.tessera.dev/digest"
LINES = 8
"""Requests under way at once; more gains nothing on two cores."""


@dataclass(frozen=True)
class SimulatedNode:
    """A node and its slices, as manifests, and the digest that each of them carries."""

    name: str
    digest: str
    node: dict[str, Any]
    slices: tuple[dict[str, Any], ...]

    @property
    def slice_digests(self) -> dict[str, str]:
        """The digest by slice name, as a server that holds all of them tells."""
        return {one["metadata"]["name"]: self.digest for one in self.slices}


@dataclass(frozen=True)
class Change:
    """What a publication did: counts of nodes."""

    added: int = 0
    removed: int = 0
    replaced: int = 0


def simulate(spec: LabSpec) -> list[SimulatedNode]:
    """Every node of a lab, pool by pool; each looks up in the cluster's files how it is shared."""
    made = files(pool.shared for pool in spec.pools)
    return [_simulated(spec.name, pool, number, made) for pool in spec.pools for number in range(pool.size)]


def publish(client: Client, wanted: Iterable[SimulatedNode], stopped: Callable[[], bool] = lambda: False) -> Change:
    """Bring the API server's nodes and slices to exactly these. Safe to repeat, and to stop in between."""
    nodes = {node.name: node for node in wanted}
    found, held = client.node_digests(POOL_LABEL, DIGEST), client.slice_digests(DIGEST)
    extra = [name for name in found if name not in nodes]
    stale = [name for name, node in nodes.items() if name in found and found[name] != node.digest]
    missing = [name for name in nodes if name not in found]
    whole = [name for name in nodes if name not in (*stale, *missing)]
    unsliced = [name for name in whole if held.get(name, {}) != nodes[name].slice_digests]
    _each(client.remove_node, [*extra, *stale], stopped)
    _each(lambda name: _add(client, nodes[name]), [*stale, *missing], stopped)
    _each(lambda name: _mend(client, nodes[name], held.get(name, {})), unsliced, stopped)
    return Change(len(missing), len(extra), len(stale) + len(unsliced))


def _add(client: Client, node: SimulatedNode) -> None:
    uid = client.create_node(node.node)
    for one in node.slices:
        client.create_slice(one, node.name, uid)


def _mend(client: Client, node: SimulatedNode, held: Mapping[str, str]) -> None:
    """Take away what is not as wanted, then publish what is missing: a pool's slices are all of one generation."""
    wanted = node.slice_digests
    kept = {name for name, digest in held.items() if wanted.get(name) == digest}
    for name in held.keys() - kept:
        client.delete_slice(name)
    uid = client.node_uid(node.name)
    for one in node.slices:
        if one["metadata"]["name"] not in kept:
            client.create_slice(one, node.name, uid)


def _each(act: Callable[[str], None], names: list[str], stopped: Callable[[], bool]) -> None:
    def go_on(name: str) -> None:
        if not stopped():
            act(name)

    with ThreadPoolExecutor(LINES) as pool:
        list(pool.map(go_on, names))


def _simulated(lab: str, pool: NodePool, number: int, made: Files) -> SimulatedNode:
    hardware, name = board(pool.board), f"{pool.name}-{number}"
    node, published = _node(name, lab, pool, number, made), slices.node_slices(name, hardware, pool.sharing)
    digest = hashlib.sha256(json.dumps([node, published], sort_keys=True).encode()).hexdigest()[:16]
    for manifest in (node, *published):
        manifest["metadata"].setdefault("annotations", {})[DIGEST] = digest
    return SimulatedNode(name, digest, node, tuple(published))


def _node(name: str, lab: str, pool: NodePool, number: int, made: Files) -> dict[str, Any]:
    hardware, labels = board(pool.board), node_labels(name, pool, number)
    resources = {
        "cpu": str(hardware.cpu),
        "memory": f"{hardware.memory_gib}Gi",
        "pods": "110",
        **advertise(labels, pool.shared.machine, made),
    }
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {"tessera.dev/lab": lab, **labels},
            "annotations": {"kwok.x-k8s.io/node": "fake"},
        },
        "status": {
            "capacity": resources,
            "allocatable": resources,
            "nodeInfo": _info(hardware),
        },
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
