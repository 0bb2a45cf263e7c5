"""Labels of a simulated node: Kubernetes' own, ours, and those of NVIDIA's feature discovery."""

from __future__ import annotations

from uuid import NAMESPACE_DNS, uuid5

from lab.record import NodePool
from tessera.hardware.boards import Board, board
from tessera.hardware.gpus import NO_MIG
from tessera.hardware.rows import say
from tessera.sharing.labels import POOL, labels

POOL_LABEL = POOL
CLIQUE = "nvidia.com/gpu.clique"


def node_labels(name: str, pool: NodePool, number: int) -> dict[str, str]:
    """The labels of a pool's node with this number, the lab's own but for its name."""
    hardware = board(pool.board)
    return {
        "kubernetes.io/arch": hardware.architecture,
        "kubernetes.io/os": "linux",
        "kubernetes.io/hostname": name,
        "node.kubernetes.io/instance-type": hardware.key,
        **labels(pool.shared),
        **_discovered(pool, hardware),
        **_clique(pool, hardware, number),
    }


def _discovered(pool: NodePool, hardware: Board) -> dict[str, str]:
    gpu, way = hardware.gpu, pool.shared.way
    turns = way.replicas > 1
    found = {
        "nvidia.com/gpu.present": "true",
        "nvidia.com/gpu.product": say(gpu.product).replace(" ", "-") + ("-SHARED" if turns else ""),
        "nvidia.com/gpu.count": str(len(hardware.seats)),
        "nvidia.com/gpu.memory": say(gpu.memory_mib),
    }
    if gpu.mig is not None:
        found["nvidia.com/mig.capable"] = str(gpu.mig != NO_MIG).lower()
    if way.kind == "mig":
        found |= {"nvidia.com/mig.strategy": "mixed", "nvidia.com/mig.config.state": "success"}
    if turns:
        found |= {"nvidia.com/gpu.sharing-strategy": way.scheme, "nvidia.com/gpu.replicas": str(way.replicas)}
    return found


def _clique(pool: NodePool, hardware: Board, number: int) -> dict[str, str]:
    """<cluster UUID>.<clique id>, the same for all machines of one NVLink domain; domains follow the nodes' numbers."""
    if hardware.nvlink_machines == 1:
        return {}
    domain = uuid5(NAMESPACE_DNS, f"{number // hardware.nvlink_machines}.{pool.name}.clique.tessera.dev")
    return {CLIQUE: f"{domain}.0"}
