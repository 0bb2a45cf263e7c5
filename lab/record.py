"""What a lab is: wanted values, and what was chosen once and is kept over restarts."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from lab.home import LabHome
from tessera.errors import TesseraError
from tessera.hardware import boards

FORMAT = 1
PORTS = ("etcd", "kube-apiserver", "kube-scheduler", "kube-controller-manager", "kwok", "etcd-peer")
"""Whoever listens on a port of its own."""


@dataclass(frozen=True)
class NodePool:
    """Simulated nodes of one board. size: count of nodes, named <name>-0 and on."""

    name: str
    board: str
    size: int


@dataclass(frozen=True)
class LabSpec:
    """What a lab should be. kubernetes: the minor version."""

    name: str
    kubernetes: str
    pools: tuple[NodePool, ...]

    def __post_init__(self) -> None:
        for pool in self.pools:
            boards.board(pool.board)


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
        pools = tuple(NodePool(**pool) for pool in spec["pools"])
        ports = {name: int(raw["ports"][name]) for name in PORTS}
        return LabRecord(LabSpec(spec["name"], spec["kubernetes"], pools), raw["instance"], ports)
    except FileNotFoundError as error:
        raise TesseraError(f"there is no lab {home.name!r}; start it with `tessera lab up {home.name}`") from error
    except (ValueError, KeyError, TypeError) as error:
        raise TesseraError(
            f"{home.record}: damaged ({error}); `tessera lab down {home.name}` removes the lab"
        ) from error


def pools(rows: object) -> tuple[NodePool, ...]:
    """Node pools from a list of plain mappings with name, board and size. Raises TesseraError for another form."""
    try:
        return tuple(NodePool(str(row["name"]), str(row["board"]), int(row["size"])) for row in rows)  # type: ignore[attr-defined]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise TesseraError("pools: write a list of rows with name, board and size (a count)") from error


def write(path: Path, text: str, mode: int = 0o600) -> None:
    """Write text to path, all or nothing, readable by its owner alone."""
    fresh = path.with_name(f".{path.name}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)
