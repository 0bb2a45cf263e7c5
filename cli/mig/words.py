"""What `tessera mig plan` is told: GPUs and wants, from the command line, a layout file or a stack."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cli.stack_file import stack_file
from tessera.errors import ProblemsError, TesseraError

if TYPE_CHECKING:
    from tessera.mig.demand import Want
    from tessera.mig.fleet import MigGpu


MOST_GPUS, MOST_WANTED = 10_000, 70_000
"""Of one plan: as many GPUs as no cluster has, and seven instances on each."""


class Words:
    """Reads words and remembers what is wrong with them, so that all of it is told at once."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def told(self) -> None:
        """Raises ProblemsError where a word was wrong."""
        if self.problems:
            raise ProblemsError(self.problems)

    def numbered(self, option: str, word: str, alone: int | None = None) -> tuple[str, int] | None:
        """NAME=COUNT; alone: the count of a word without one."""
        name, equals, count = word.rpartition("=")
        if not equals and alone is not None:
            return word, alone
        if name and count.isascii() and count.isdigit():
            return name, int(count)
        self.problems.append(f"{option}: found {word!r}, allowed NAME=COUNT, with a count of 0 or more")
        return None

    def fleet(self, gpus: Sequence[str], count: int | None, per_node: int) -> tuple[MigGpu, ...]:
        """GPUs of --gpu and --count."""
        rows = [row for word in gpus if (row := self.numbered("--gpu", word, 1 if count is None else count))]
        if count is not None and not any("=" not in word for word in gpus):
            self.problems.append(f"--count: found {count}, but each --gpu has a count of its own; take one away")
        if (number := sum(one for _, one in rows)) > MOST_GPUS:
            self.problems.append(f"--gpu: found {number} GPUs, allowed: at most {MOST_GPUS} in one plan")
            return ()
        parts = [self._tried(partial(_fresh, name, number, per_node)) for name, number in rows]
        return tuple(one for part in parts for one in part)

    def wants(self, words: Iterable[str]) -> list[Want]:
        """Wants of --want: [GPU/]PROFILE=COUNT."""
        from tessera.mig.demand import Want

        found = []
        for word in words:
            if row := self.numbered("--want", word):
                product, slash, profile = row[0].rpartition("/")
                found.append(Want(profile, row[1], product if slash else None))
        if (number := sum(one.count for one in found)) > MOST_WANTED:
            self.problems.append(f"--want: found {number} instances, allowed: at most {MOST_WANTED} in one plan")
        return found

    def whole(self, words: Iterable[str], fleet: Sequence[MigGpu]) -> dict[str, int]:
        """GPUs of --keep-whole: COUNT, or GPU=COUNT where there are several products."""
        products = list(dict.fromkeys(one.gpu.key for one in fleet))
        found: dict[str, int] = {}
        for word in words:
            if word.isascii() and word.isdigit():
                if len(products) == 1:
                    found[products[0]] = int(word)
                else:
                    said = ", ".join(f"{product}={word}" for product in products) or "--gpu"
                    self.problems.append(f"--keep-whole: found {word!r} for several products; say which: {said}")
            elif row := self.numbered("--keep-whole", word):
                found[row[0]] = row[1]
        return found

    def layout(self, path: Path) -> tuple[MigGpu, ...]:
        """GPUs of a layout file."""
        from tessera.mig.plain import fleet

        try:
            value = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) else f"is no JSON: {error}"
            self.problems.append(f"{path}: can't be read ({said})")
            return ()
        return self._tried(lambda: fleet(value, str(path)))

    def _tried(self, read: Callable[[], tuple[MigGpu, ...]]) -> tuple[MigGpu, ...]:
        try:
            return read()
        except ProblemsError as error:
            self.problems += error.problems
        except TesseraError as error:
            self.problems.append(str(error))
        return ()


def _fresh(name: str, number: int, per_node: int) -> tuple[MigGpu, ...]:
    from tessera.hardware.gpus import gpu
    from tessera.mig.fleet import fresh

    return fresh(gpu(name), number, per_node)


def of_stack(stack: str) -> tuple[tuple[MigGpu, ...], list[Want]]:
    """GPUs and instances of a stack's pools that share by MIG. Raises TesseraError where it has none."""
    from tessera.hardware.machines import machine
    from tessera.mig.demand import Want
    from tessera.mig.fleet import MigGpu
    from tessera.spec.stack import read_file

    fleet: list[MigGpu] = []
    wants: list[Want] = []
    for pool in read_file(stack_file(stack)).pools:
        if pool.way.kind != "mig":
            continue
        found = machine(pool.board or pool.instance or "")
        nodes = [host.name for host in pool.hosts] or [f"{pool.name}-{at}" for at in range(pool.size)]
        parts = pool.way.by_gpu(found.count)
        fleet += [MigGpu(node, at, found.gpu, whole=not part) for node in nodes for at, part in enumerate(parts)]
        wants += [Want(name, each * len(nodes), found.gpu.key) for name, each in _total(parts).items()]
    if not fleet:
        raise TesseraError(
            f"stack {stack}: no pool shares by mig; name GPUs with --gpu, or give a pool sharing: {{mig: ...}}"
        )
    return tuple(fleet), wants


def _total(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in parts:
        found |= {name: found.get(name, 0) + each for name, each in part.items()}
    return found


def only_one(**given: object) -> str:
    """The name of the one option that is given. Raises typer.BadParameter where it is none, or several."""
    found = [f"--{name}" for name, value in given.items() if value]
    if len(found) != 1:
        said = " and ".join(found) or "none"
        raise typer.BadParameter(f"GPUs come from one of {', '.join(f'--{name}' for name in given)}; found {said}")
    return found[0]
