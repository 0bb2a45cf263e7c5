"""What a lab is: wanted values, and what was chosen once and is kept over restarts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lab.home import LabHome
from tessera.dra.slices import sharing_word
from tessera.errors import ProblemsError, TesseraError
from tessera.hardware import boards
from tessera.hardware.machines import machine
from tessera.scheduler import scheduler
from tessera.sharing.pool import SharedPool
from tessera.sharing.refusals import problems
from tessera.sharing.way import of_row

FORMAT = 1
PORTS = ("etcd", "kube-apiserver", "kube-scheduler", "kube-controller-manager", "kwok", "etcd-peer")
"""Whoever listens on a port of its own."""


@dataclass(frozen=True)
class NodePool:
    """Simulated nodes of one board. size: count of nodes, named <name>-0 and on.

    sharing: how pods share its GPUs, as in a stack file. profiles: MIG devices by profile on every GPU, for sharing
    mig. replicas: pods on one whole GPU. layout: rows of gpus and profiles, in place of profiles. slices: pods on one
    MIG device, by profile.
    """

    name: str
    board: str
    size: int
    sharing: str = "dra"
    profiles: Mapping[str, int] = field(default_factory=dict)
    replicas: int = 1
    layout: Sequence[Mapping[str, Any]] = field(default_factory=list)
    slices: Mapping[str, int] = field(default_factory=dict)

    @property
    def shared(self) -> SharedPool:
        """The pool as sharing sees it."""
        return SharedPool(self.name, machine(self.board), of_row(asdict(self)))

    def check(self) -> None:
        """Whether such nodes can be. Raises TesseraError: unknown board or sharing, MIG devices that do not fit."""
        boards.board(self.board)
        sharing_word(self.sharing)
        pool, found = self.shared, []
        if self.sharing == "mig" and not (self.profiles or self.layout):
            found.append("sharing mig needs profiles, such as {1g.10gb: 7}, or a layout")
        if self.sharing != "mig" and (self.profiles or self.layout):
            found.append(f"found profiles with sharing {self.sharing}; they are for mig")
        if self.replicas < 1:
            found.append(f"found {self.replicas} replicas, allowed 1 or more")
        found += [said for _, said in problems(pool.machine, pool.way)]
        if found:
            raise ProblemsError([f"pool {self.name}: {said}" for said in found])


@dataclass(frozen=True)
class LabSpec:
    """What a lab should be. kubernetes: the minor version; scheduler: settings as in a recipe's control plane."""

    name: str
    kubernetes: str
    pools: tuple[NodePool, ...]
    scheduler: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scheduler(self.scheduler)
        for pool in self.pools:
            pool.check()


@dataclass(frozen=True)
class LabRecord:
    """A lab as made. instance: identity of its data; ports: part to port, kept over restarts."""

    spec: LabSpec
    instance: str
    ports: dict[str, int]

    def save(self, home: LabHome) -> None:
        """Write the record; a reader sees the old one or the new one, whole."""
        write(home.record, json.dumps({"format": FORMAT, **asdict(self)}, indent=2) + "\n")


def load(home: LabHome) -> LabRecord:
    """The record of a lab. Raises TesseraError where there is none or a newer Tessera wrote it."""
    try:
        raw = json.loads(home.record.read_text(encoding="utf-8"))
        if raw["format"] != FORMAT:
            raise TesseraError(f"lab {home.name!r} was made by another Tessera (format {raw['format']}); use that one")
        spec = raw["spec"]
        found = tuple(_pool(pool) for pool in spec["pools"])
        ports = {name: int(raw["ports"][name]) for name in PORTS}
        made = LabSpec(spec["name"], spec["kubernetes"], found, spec.get("scheduler", {}))
        return LabRecord(made, raw["instance"], ports)
    except FileNotFoundError as error:
        raise TesseraError(f"there is no lab {home.name!r}; start it with `tessera lab up {home.name}`") from error
    except (ValueError, KeyError, TypeError) as error:
        raise TesseraError(
            f"{home.record}: damaged ({error}); `tessera lab down {home.name}` removes the lab"
        ) from error


def pools(rows: Iterable[Mapping[str, Any]]) -> tuple[NodePool, ...]:
    """Node pools from plain mappings: name, board, size, and what else a pool has where it is not the default.

    Raises TesseraError for another form.
    """
    try:
        return tuple(_pool(row) for row in rows)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise TesseraError(
            "pools: write a list of rows with name, board and size (a count), and where wanted sharing, profiles "
            "(counts of MIG devices), replicas (a count), layout (rows of gpus and profiles) and slices (counts)"
        ) from error


def rows(found: Iterable[NodePool]) -> list[dict[str, Any]]:
    """Plain mappings from node pools, each with all its keys."""
    return [asdict(pool) for pool in found]


def _pool(row: Mapping[str, Any]) -> NodePool:
    return NodePool(str(row["name"]), str(row["board"]), int(row["size"]), **of_row(row).row())


def write(path: Path, text: str, mode: int = 0o600) -> None:
    """Write text to path, all or nothing, readable by its owner alone."""
    fresh = path.with_name(f".{path.name}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)
