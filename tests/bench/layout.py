"""The layout of a cluster with static MIG: how many nodes stay whole, and how many are cut into which profile.

Chosen from training demand, which no measured seed is part of: the layout that would serve most of it, by counts
alone. A node has one layout on all of its GPUs, so a cluster of few nodes can follow its demand only coarsely.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tessera.errors import ProblemsError
from tessera.hardware.boards import Board
from tessera.hardware.gpus import Gpu
from tessera.hardware.mig import place
from tests.bench.demand import Task, demand, profile_of

WHOLE = "whole"
TRAINING = range(1000, 1010)
"""Seeds of the training demand."""

Layout = Mapping[str, int]
"""Count of nodes by profile; WHOLE are not cut."""


def best_layout(board: Board, nodes: int, percents: Sequence[int], seeds: Sequence[int] = TRAINING) -> Layout:
    """The layout that serves most of the training demand, over all of its steps in percent of all GPUs."""
    gpus = nodes * len(board.seats)
    queues = [demand(seed, gpus * percent / 100, len(board.seats)) for seed in seeds for percent in percents]
    needs = [_needs(queue, board.gpu) for queue in queues]
    kinds = [WHOLE, *sorted({kind for need in needs for kind in need} - {WHOLE})]
    gains = [_gains(kind, nodes, board, [need.get(kind, {}) for need in needs]) for kind in kinds]
    chosen = max(_splits(nodes, len(kinds)), key=lambda counts: sum(map(list.__getitem__, gains, counts)))
    return {kind: count for kind, count in zip(kinds, chosen, strict=True) if count}


def _gains(kind: str, nodes: int, board: Board, needs: Sequence[Mapping[int, int]]) -> list[int]:
    """By the number of nodes given to a kind: thousandths of GPUs truly asked for that they could hold."""
    room = len(board.seats) * (1 if kind == WHOLE else most(board.gpu, kind))
    return [sum(held(count * room, need, kind == WHOLE) for need in needs) for count in range(nodes + 1)]


def most(gpu: Gpu, profile: str) -> int:
    """How many devices of one profile a GPU can be cut into."""
    for count in range(8, 0, -1):
        try:
            return len(place(gpu, {profile: count}))
        except ProblemsError:
            continue
    return 0


def _needs(queue: Sequence[Task], gpu: Gpu) -> dict[str, Counter[int]]:
    found: dict[str, Counter[int]] = {}
    for task in queue:
        profile = profile_of(task, gpu)
        found.setdefault(profile.name if profile else WHOLE, Counter())[task.milli] += 1
    return found


def held(room: int, counts: Mapping[int, int], whole: bool) -> int:
    """What so many devices can hold of tasks of one kind, the largest first. counts: tasks by thousandths."""
    total = 0
    for milli in sorted(counts, reverse=True):
        each = max(1, milli // 1000) if whole else 1
        number = min(counts[milli], room // each)
        total, room = total + number * milli, room - number * each
    return total


def _splits(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to share out a total."""
    for bars in itertools.combinations(range(total + parts - 1), parts - 1):
        edges = (-1, *bars, total + parts - 1)
        yield tuple(right - left - 1 for left, right in itertools.pairwise(edges))
