"""Boards: the GPUs of one machine and where they sit on PCIe."""

from __future__ import annotations

from dataclasses import dataclass

from tessera import data, naming
from tessera.errors import TesseraError
from tessera.hardware.gpus import Gpu, gpu


@dataclass(frozen=True)
class Seat:
    """The place of one GPU: PCI address (0000:1b:00.0) and PCIe root complex (pci0000:15)."""

    bus: str
    root: str


@dataclass(frozen=True)
class Board:
    """A machine's GPUs in the driver's order. cpu: hardware threads; memory_gib: GiB of host memory."""

    key: str
    summary: str
    gpu: Gpu
    driver: str
    cuda: str
    cpu: int
    memory_gib: int
    seats: tuple[Seat, ...]


def names() -> list[str]:
    """Keys of all known boards, sorted."""
    return sorted(data.load("hardware/boards.yaml"))


def board(key: str) -> Board:
    """The board called key. Raises TesseraError where it is unknown."""
    rows = data.load("hardware/boards.yaml")
    if key not in rows:
        raise TesseraError(naming.unknown("board", key, rows))
    row = rows[key]
    return Board(
        key=key,
        summary=row["summary"],
        gpu=gpu(row["gpu"]),
        driver=row["driver"],
        cuda=row["cuda"],
        cpu=row["host"]["cpu"],
        memory_gib=row["host"]["memory_gib"],
        seats=tuple(Seat(seat["bus"], seat["root"]) for seat in row["gpus"]),
    )
