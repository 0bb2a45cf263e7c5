"""Demand: a queue of tasks like those of a shared GPU cluster, the same for the same seed, on every machine.

Shape: Alibaba's trace gpu-v2023, as counts of its GPU pods by size (its CPU-only pods are left out) and the five
fractions around which its shares of a GPU cluster. How often each fraction occurs is ours: the trace's order, with
weights 5 to 1. Nothing of the trace itself is here. A task has no duration: what is placed stays.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from tessera.hardware.gpus import Gpu
from tessera.hardware.mig import MigProfile, profiles

SIZES: Mapping[int, int] = {0: 3078, 1: 3911, 2: 16, 4: 15, 8: 44}
"""Pods of the trace by GPUs; 0 is a share of one."""

FRACTIONS: Mapping[int, int] = {810: 5, 470: 4, 320: 3, 650: 2, 230: 1}
"""Weight by thousandths of a GPU, around which shares lie."""

JITTER = 15
"""Thousandths to either side."""


@dataclass(frozen=True)
class Task:
    """One pod's true need. milli: thousandths of a GPU; whole GPUs are multiples of 1000."""

    number: int
    milli: int

    @property
    def gpus(self) -> int:
        """Whole GPUs that it needs; 0 is a share of one."""
        return self.milli // 1000

    @property
    def size(self) -> str:
        return str(self.gpus) if self.gpus else "share"


def demand(seed: int, gpus: float, largest: int = 8) -> tuple[Task, ...]:
    """Tasks until they need so many GPUs. A longer queue of the same seed begins with the shorter one.

    largest: GPUs of one node; tasks that no node could hold are left out.
    """
    draw, tasks, needed = random.Random(seed), [], 0
    sizes = {size: count for size, count in SIZES.items() if size <= largest}
    while needed < 1000 * gpus:
        tasks.append(Task(len(tasks), _milli(draw, sizes)))
        needed += tasks[-1].milli
    return tuple(tasks)


def profile_of(task: Task, gpu: Gpu) -> MigProfile | None:
    """The smallest MIG profile whose memory holds the task's share; None where only a whole GPU does."""
    if task.gpus or gpu.memory_mib is None:
        return None
    need = task.milli * gpu.memory_mib / 1000
    fitting = [one for one in _plain(gpu) if one.memory_mib is not None and one.memory_mib >= need]
    best = min(fitting, key=lambda one: (one.memory, one.compute), default=None)
    return None if best is None or best.memory == best.memory_of else best


def _milli(draw: random.Random, sizes: Mapping[int, int]) -> int:
    size = draw.choices(list(sizes), list(sizes.values()))[0]
    share = draw.choices(list(FRACTIONS), list(FRACTIONS.values()))[0] + draw.randint(-JITTER, JITTER)
    return 1000 * size or share


def _plain(gpu: Gpu) -> list[MigProfile]:
    """Without variants that differ only in media engines and graphics."""
    return [one for one in profiles(gpu) if "+" not in one.name and "-" not in one.name]
