"""The GPUs that a plan may cut, with the layout that each one has now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tessera import naming
from tessera.errors import ProblemsError, TesseraError
from tessera.hardware.gpus import Gpu
from tessera.hardware.mig import Placement, check_layout, profiles

PER_NODE = 8
"""GPUs on one node, where only their number is known."""


@dataclass(frozen=True)
class MigGpu:
    """One GPU of a node, by its index there. layout: what it is cut into now.

    in_use: its instances have work, so they stay where they are. whole: it is to stay, or to become, one whole GPU.
    """

    node: str
    index: int
    gpu: Gpu
    layout: tuple[Placement, ...] = ()
    in_use: bool = False
    whole: bool = False

    @property
    def name(self) -> str:
        """What messages and tables call it."""
        return f"{self.node}/{self.index}"

    def may_fill(self, beside: bool) -> bool:
        """Whether a plan may put instances on it. beside: beside those that are in use, too."""
        return not self.whole and (beside or not self.in_use or not self.layout)


def fresh(gpu: Gpu, count: int, per_node: int = PER_NODE) -> tuple[MigGpu, ...]:
    """So many GPUs of one product without instances, on nodes called after it."""
    return tuple(MigGpu(f"{gpu.key}-{at // per_node}", at % per_node, gpu) for at in range(count))


def check(fleet: Sequence[MigGpu]) -> None:
    """Whether these GPUs can be planned. Raises ProblemsError with all that is wrong."""
    problems = [f"GPU {name}: is there {count} times; name it once" for name, count in _twice(fleet)]
    problems += [problem for one in fleet for problem in _problems(one)]
    if problems:
        raise ProblemsError(problems)


def reserve(fleet: Sequence[MigGpu], whole: Mapping[str, int]) -> tuple[MigGpu, ...]:
    """The fleet with at least so many GPUs of each product marked whole, the ones with the fewest instances.

    Raises ProblemsError where that many can't be kept whole.
    """
    problems, marked = [], set[str]()
    for product, count in whole.items():
        mine = [one for one in fleet if one.gpu.key == product]
        if not mine:
            problems.append(naming.unknown("GPU to keep whole", product, {one.gpu.key for one in fleet}))
            continue
        free = [one for one in mine if not one.layout or not one.in_use]
        free.sort(key=lambda one: (not one.whole, len(one.layout)))
        if not 0 <= count <= len(free):
            problems.append(
                f"GPUs of {product} to keep whole: found {count}, allowed 0-{len(free)}; {_why(mine, free)}"
            )
        marked |= {one.name for one in _last_empty(free)[: max(count, 0)]}
    if problems:
        raise ProblemsError(problems)
    return tuple(replace(one, whole=True) if one.name in marked else one for one in fleet)


def _last_empty(free: list[MigGpu]) -> list[MigGpu]:
    """Those that are whole already, then the last empty ones, then those with few instances."""
    whole = [one for one in free if one.whole]
    empty = [one for one in free if not one.whole and not one.layout]
    return [*whole, *reversed(empty), *(one for one in free if not one.whole and one.layout)]


def _why(mine: Sequence[MigGpu], free: Sequence[MigGpu]) -> str:
    busy = len(mine) - len(free)
    return f"there are {len(mine)}, and {busy} have instances in use; keep fewer" if busy else "keep fewer, or add GPUs"


def _twice(fleet: Iterable[MigGpu]) -> list[tuple[str, int]]:
    return [(name, count) for name, count in Counter(one.name for one in fleet).items() if count > 1]


def _problems(one: MigGpu) -> Iterator[str]:
    if one.index < 0:
        yield f"GPU {one.name}: index is found {one.index}, allowed 0 or more"
    if one.whole and one.in_use and one.layout:
        yield f"GPU {one.name}: can't become whole while its instances are in use; drop one of whole and in_use"
    if not one.layout and one.whole:
        return  # a GPU without MIG may stand beside those that have it
    try:
        profiles(one.gpu)
        check_layout(one.gpu, one.layout)
    except ProblemsError as error:
        yield from (f"GPU {one.name}: {problem}" for problem in error.problems)
    except TesseraError as error:
        yield f"GPU {one.name}: {error}"
