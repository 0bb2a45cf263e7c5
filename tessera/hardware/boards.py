"""Boards: the GPUs of one machine and where they sit on PCIe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tessera import naming
from tessera.errors import TesseraError
from tessera.hardware.gpus import Gpu, gpu
from tessera.hardware.nics import Nic, below, board_nics
from tessera.hardware.rows import Row, table


@dataclass(frozen=True)
class Seat:
    """The place of one GPU; None is unknown.

    bus: PCI address (0000:1b:00.0). root: PCIe root complex (pci0000:15). numa: NUMA node of the host.
    nics: count of RDMA network cards below the same root.
    """

    bus: str | None
    root: str | None
    numa: int | None
    nics: int | None


@dataclass(frozen=True)
class Board:
    """A machine's GPUs in the driver's order. Source and date of each row stand in recipes/hardware/boards.yaml.

    architecture: of the processor, amd64 or arm64. cpu: hardware threads; memory_gib: GiB of host memory.
    nvlink_gpus, nvlink_machines: count of GPUs in one NVLink domain, and of machines it spans; 1 where there is none.
    nics: RDMA network cards; None is unknown.
    """

    key: str
    summary: str
    gpu: Gpu
    driver: str
    cuda: str
    architecture: str
    cpu: int
    memory_gib: int
    nvlink_gpus: int | None
    nvlink_machines: int
    seats: tuple[Seat, ...]
    nics: tuple[Nic, ...] | None


def names() -> list[str]:
    """Keys of all known boards, sorted."""
    return sorted(table("boards"))


@cache
def board(key: str) -> Board:
    """The board called key. Raises TesseraError where it is unknown."""
    rows = table("boards")
    if key not in rows:
        raise TesseraError(naming.unknown("board", key, rows))
    row = rows[key]
    host, nvlink, cards = row.row("host"), row.row("nvlink"), board_nics(row)
    return Board(
        key=key,
        summary=row.text("summary"),
        gpu=gpu(row.text("gpu")),
        driver=row.text("driver"),
        cuda=row.text("cuda"),
        architecture=row.text("architecture"),
        cpu=host.number("cpu"),
        memory_gib=host.number("memory_gib"),
        nvlink_gpus=nvlink.maybe_number("gpus"),
        nvlink_machines=nvlink.number("machines"),
        seats=tuple(_seat(seat, cards) for seat in row.rows("gpus")),
        nics=cards,
    )


def _seat(row: Row, cards: tuple[Nic, ...] | None) -> Seat:
    root = row.maybe_text("root")
    return Seat(row.text("bus"), root, row.maybe_number("numa"), below(root, cards))
