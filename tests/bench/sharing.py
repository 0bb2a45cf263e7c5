"""Ways to share GPUs that the saturation bench compares: the nodes of each, its pods, and what of it is taken."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lab.record import NodePool
from tessera.dra.claims import Ask, Claim, Request, claim_spec
from tessera.dra.requirements import Requirement
from tessera.dra.selectors import selector
from tessera.hardware.boards import Board
from tessera.hardware.mig import MigProfile, profiles
from tests.bench.demand import Task, profile_of
from tests.bench.layout import WHOLE, Layout, most
from tests.bench.room import SLICES, Room

Objects = Sequence[dict[str, Any]]
_DEVICE = re.compile(r"gpu-(\d+)(?:-mig-\w+-(\d+)-(\d+))?")


class Arm(ABC):
    """One way. name: as in results; scoring: of tessera.scheduler."""

    def __init__(self, name: str, summary: str, board: Board, scoring: str = "spread") -> None:
        self.name, self.summary, self.board, self.scoring = name, summary, board, scoring

    @abstractmethod
    def pools(self, nodes: int) -> tuple[NodePool, ...]: ...

    @abstractmethod
    def spec(self, task: Task) -> dict[str, Any]:
        """Of a pod: what it asks for, besides processor and memory."""

    def classes(self) -> list[dict[str, Any]]:
        return []

    def templates(self, tasks: Sequence[Task]) -> list[dict[str, Any]]:
        return []

    @abstractmethod
    def rooms(self, nodes: Objects, placed: Mapping[int, tuple[Task, str]], claims: Objects) -> list[Room]:
        """What is taken, by what the API server says. placed: task and node, by the task's number."""

    def pod(self, task: Task) -> dict[str, Any]:
        """Processor and memory are asked for in proportion, in every arm alike."""
        share = {"cpu": f"{16 * task.milli}m", "memory": f"{128 * task.milli}Mi"}
        inner = self.spec(task)
        resources = {"requests": {**share, **inner.get("limits", {})}, "limits": inner.get("limits", {})}
        container = {"name": "work", "image": "work", "resources": resources}
        if "claim" not in inner:
            return {"metadata": {"name": f"task-{task.number}"}, "spec": {"containers": [container]}}
        resources["claims"] = [{"name": "gpu"}]
        claims = [{"name": "gpu", "resourceClaimTemplateName": inner["claim"]}]
        spec = {"containers": [container], "resourceClaims": claims}
        return {"metadata": {"name": f"task-{task.number}"}, "spec": spec}


class Plugin(Arm):
    """The device plugin: whole GPUs, or those of a layout of static MIG."""

    def __init__(
        self, name: str, summary: str, board: Board, layout: Layout | None = None, scoring: str = "spread"
    ) -> None:
        super().__init__(name, summary, board, scoring)
        self.layout = layout

    def pools(self, nodes: int) -> tuple[NodePool, ...]:
        if self.layout is None:
            return (NodePool(WHOLE, self.board.key, nodes, "none"),)
        return tuple(self._pool(kind, count) for kind, count in self.layout.items())

    def spec(self, task: Task) -> dict[str, Any]:
        cut = profile_of(task, self.board.gpu) if self.layout else None
        return {"limits": {cut.resource: "1"} if cut else {"nvidia.com/gpu": str(max(1, task.gpus))}}

    def rooms(self, nodes: Objects, placed: Mapping[int, tuple[Task, str]], claims: Objects) -> list[Room]:
        counts: Counter[str] = Counter()
        for task, node in placed.values():
            counts[node] += max(1, task.gpus)
        return [self._room(node, counts[node["metadata"]["name"]]) for node in nodes]

    def _pool(self, kind: str, count: int) -> NodePool:
        if kind == WHOLE:
            return NodePool(WHOLE, self.board.key, count, "none")
        profiles = {kind: most(self.board.gpu, kind)}
        return NodePool(f"cut-{kind.replace('.', '-')}", self.board.key, count, "mig", profiles)

    def _room(self, node: dict[str, Any], count: int) -> Room:
        cut = self._cut(node["status"]["allocatable"])
        taken: list[set[int]] = [set() for _ in self.board.seats]
        if cut is None:
            return Room(tuple(frozenset(range(SLICES)) if at < count else frozenset() for at in range(len(taken))))
        places = [(gpu, start) for gpu in range(len(taken)) for start in _starts(cut, most(self.board.gpu, cut.name))]
        for gpu, start in places[:count]:
            taken[gpu] |= set(range(start, start + cut.memory))
        return Room(tuple(map(frozenset, taken)), cut)

    def _cut(self, allocatable: Mapping[str, str]) -> MigProfile | None:
        found = [one for one in profiles(self.board.gpu) if int(allocatable.get(one.resource, "0"))]
        return found[0] if found else None


class Claims(Arm):
    """DRA: whole GPUs, or besides them MIG devices that the driver cuts on demand."""

    def __init__(self, name: str, summary: str, board: Board, cut: bool, scoring: str = "spread") -> None:
        super().__init__(name, summary, board, scoring)
        self.cut = cut

    def pools(self, nodes: int) -> tuple[NodePool, ...]:
        return (NodePool(WHOLE, self.board.key, nodes, "dynamic-mig" if self.cut else "dra"),)

    def classes(self) -> list[dict[str, Any]]:
        wanted = {"gpu": Requirement(), **({"mig": Requirement(device="mig")} if self.cut else {})}
        return [
            {"metadata": {"name": name}, "spec": {"selectors": [{"cel": {"expression": selector(requires)}}]}}
            for name, requires in wanted.items()
        ]

    def templates(self, tasks: Sequence[Task]) -> list[dict[str, Any]]:
        found = {self._template(task): self._claim(task) for task in tasks}
        return [{"metadata": {"name": name}, "spec": {"spec": claim_spec(claim)}} for name, claim in found.items()]

    def spec(self, task: Task) -> dict[str, Any]:
        return {"claim": self._template(task)}

    def rooms(self, nodes: Objects, placed: Mapping[int, tuple[Task, str]], claims: Objects) -> list[Room]:
        taken: dict[str, list[set[int]]] = {
            node["metadata"]["name"]: [set() for _ in self.board.seats] for node in nodes
        }
        for pool, gpu, slices in self._devices(claims):
            assert not taken[pool][gpu] & slices, f"{pool} gpu-{gpu}: memory slices are allocated twice"
            taken[pool][gpu] |= slices
        return [Room(tuple(map(frozenset, gpus)), on_demand=self.cut) for gpus in taken.values()]

    def _devices(self, claims: Objects) -> Iterator[tuple[str, int, set[int]]]:
        sizes = {str(one.id): one.memory for one in profiles(self.board.gpu)}
        for claim in claims:
            devices = claim.get("status", {}).get("allocation", {}).get("devices", {})
            for row in devices.get("results", []):
                gpu, which, start = _DEVICE.fullmatch(row["device"]).groups()  # type: ignore[union-attr]
                first = int(start or 0)
                yield row["pool"], int(gpu), set(range(first, first + (sizes[which] if which else SLICES)))

    def _template(self, task: Task) -> str:
        cut = profile_of(task, self.board.gpu) if self.cut else None
        return f"mig-{cut.memory_mib}" if cut else f"gpu-{max(1, task.gpus)}"

    def _claim(self, task: Task) -> Claim:
        """A share asks for memory, and for no more than the smallest profile with so much has."""
        cut = profile_of(task, self.board.gpu) if self.cut else None
        if cut is None:
            return Claim((Request("gpu", (Ask("gpu", max(1, task.gpus)),)),))
        size = f"{cut.memory_mib}Mi"
        return Claim((Request("gpu", (Ask("mig", 1, Requirement(device="mig", memory=size, memory_at_most=size)),)),))


def _starts(cut: MigProfile, count: int) -> list[int]:
    return list(cut.starts)[:count]


def arms(board: Board, layout: Layout) -> dict[str, Arm]:
    """All arms by name. layout: of static MIG."""
    made = (
        Plugin("plugin-whole", "device plugin, whole GPUs", board),
        Plugin("plugin-mig", "device plugin, static MIG", board, layout),
        Claims("dra-whole", "DRA, whole GPUs", board, cut=False),
        Claims("dra-mig", "DRA, MIG on demand", board, cut=True),
        Claims(
            "dra-mig-packed", "DRA, MIG on demand, nodes filled one after the other", board, cut=True, scoring="pack"
        ),
    )
    return {arm.name: arm for arm in made}
