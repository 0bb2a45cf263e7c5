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

_DIGITS = 18
"""Of the largest number that is read as one."""


class Words:
    """Reads words and remembers what is wrong with them, so that all of it is told at once."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.misspelt = False

    def told(self) -> None:
        """Raises typer.BadParameter where a word was wrong, ProblemsError where no plan can be made of right ones."""
        if self.misspelt:
            raise typer.BadParameter("\n".join(self.problems))
        if self.problems:
            raise ProblemsError(self.problems)

    def wrong(self, problem: str) -> None:
        """Remembers a word that nobody can have meant so."""
        self.problems.append(problem)
        self.misspelt = True

    def numbered(self, option: str, word: str, alone: int | None = None) -> tuple[str, int] | None:
        """NAME=COUNT; alone: the count of a word without one."""
        name, equals, count = word.rpartition("=")
        if not equals and alone is not None:
            return word, alone
        if name and count.isascii() and count.isdigit() and len(count) <= _DIGITS:
            return name, int(count)
        self.wrong(f"{option}: found {word!r}, allowed NAME=COUNT, with a count of 1 to {_DIGITS} digits")
        return None

    def counts(self, option: str, words: Iterable[str]) -> dict[str, int]:
        """Each NAME of words that are NAME=COUNT, which is there once."""
        found: dict[str, int] = {}
        for word in words:
            if row := self.numbered(option, word):
                if row[0] in found:
                    self.wrong(f"{option}: found {row[0]} twice, {found[row[0]]} and {row[1]}; say its total once")
                found[row[0]] = row[1]
        return found

    def fleet(self, gpus: Sequence[str], count: int | None, per_node: int) -> tuple[MigGpu, ...]:
        """GPUs of --gpu and --count."""
        from tessera.mig.limits import too_many

        rows = [row for word in gpus if (row := self.numbered("--gpu", word, 1 if count is None else count))]
        if count is not None and not any("=" not in word for word in gpus):
            self.wrong(f"--count: found {count}, but each --gpu has a count of its own; take one away")
        if many := too_many(gpus=sum(number for _, number in rows)):
            self.problems += [f"--gpu: {problem}" for problem in many]
            return ()
        parts = [self._tried(partial(_fresh, name, number, per_node)) for name, number in rows]
        return tuple(one for part in parts for one in part)

    def wants(self, words: Iterable[str]) -> list[Want]:
        """Wants of --want: [GPU/]PROFILE=COUNT."""
        from tessera.mig.demand import Want
        from tessera.mig.limits import too_many

        found = self.counts("--want", words)
        self.problems += [f"--want: {problem}" for problem in too_many(instances=sum(found.values()))]
        parts = [(*name.rpartition("/"), count) for name, count in found.items()]
        return [Want(profile, count, product if slash else None) for product, slash, profile, count in parts]

    def whole(self, words: Iterable[str], fleet: Sequence[MigGpu]) -> dict[str, int]:
        """GPUs of --keep-whole: COUNT, or GPU=COUNT where there are several products."""
        products = list(dict.fromkeys(one.gpu.key for one in fleet))
        named = []
        for word in words:
            if not (word.isascii() and word.isdigit()):
                named.append(word)
            elif len(products) == 1:
                named.append(f"{products[0]}={word}")
            elif products:  # else what is wrong with the GPUs is told already
                said = ", ".join(f"{product}={word}" for product in products)
                self.wrong(f"--keep-whole: found {word!r} for several products; say which: {said}")
        return self.counts("--keep-whole", named)

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
    from tessera.mig.limits import too_many
    from tessera.spec.stack import read_file

    fleet: list[MigGpu] = []
    wants: list[Want] = []
    gpus = 0
    for pool in read_file(stack_file(stack)).pools:
        if pool.way.kind != "mig":
            continue
        found = machine(pool.board or pool.instance or "")
        gpus += pool.size * found.count
        if many := too_many(gpus=gpus):
            raise ProblemsError([f"stack {stack}: {problem}" for problem in many])
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
