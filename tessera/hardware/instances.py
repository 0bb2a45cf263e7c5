"""Instances: EC2 instance types with GPUs, their network cards and their disks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tessera import naming
from tessera.errors import TesseraError
from tessera.hardware.gpus import Gpu, gpu
from tessera.hardware.rows import Row, table

EFA = frozenset({"efa", "efa-only"})
"""Interface types that carry EFA: efa has an IP address too, efa-only has none."""


@dataclass(frozen=True)
class NetworkCard:
    """One network card. slots: count of interfaces, device indexes 0 to slots - 1. gbps: peak Gbit/s, None is unknown.

    interfaces: types that an interface on this card may have: interface (ENA with IP), efa, efa-only.
    """

    index: int
    slots: int
    gbps: int | None
    interfaces: tuple[str, ...]

    @property
    def efa(self) -> bool:
        """Whether the card can carry EFA."""
        return not EFA.isdisjoint(self.interfaces)


@dataclass(frozen=True)
class Instance:
    """One instance type. Source and date of each row stand in recipes/hardware/instances.yaml.

    count: of GPUs. memory_mib: MiB of host memory. cards: by index, without gaps.
    efa_cards: cards that get one EFA interface each in EC2's documented layout; ena_cards: further cards on which an
    ENA at device index 1 adds IP bandwidth. nvme_count, nvme_gb: local disks, and GB (10^9 bytes) of each.
    usage: how it can be had: on-demand, spot, capacity-block. note: what the numbers don't say, or empty.
    """

    key: str
    gpu: Gpu
    count: int
    vcpus: int
    memory_mib: int
    architecture: str
    cards: tuple[NetworkCard, ...]
    efa_cards: tuple[int, ...]
    ena_cards: tuple[int, ...]
    nvme_count: int
    nvme_gb: int
    usage: tuple[str, ...]
    note: str

    @property
    def efa(self) -> int:
        """Count of EFA interfaces in EC2's documented layout."""
        return len(self.efa_cards)


def names() -> list[str]:
    """Keys of all known instance types, sorted."""
    return sorted(table("instances"))


@cache
def instance(key: str) -> Instance:
    """The instance type called key. Raises TesseraError where it is unknown."""
    rows = table("instances")
    if key not in rows:
        raise TesseraError(naming.unknown("instance", key, rows))
    row = rows[key]
    cards = tuple(sorted(_cards(row), key=lambda card: card.index))
    stated, nvme = row.maybe_numbers("efa_cards"), row.row("nvme")
    return Instance(
        key=key,
        gpu=gpu(row.text("gpu")),
        count=row.number("count"),
        vcpus=row.number("vcpus"),
        memory_mib=row.number("memory_mib"),
        architecture=row.text("architecture"),
        cards=cards,
        efa_cards=tuple(card.index for card in cards if card.efa) if stated is None else stated,
        ena_cards=row.maybe_numbers("ena_cards") or (),
        nvme_count=nvme.number("count"),
        nvme_gb=nvme.number("gb"),
        usage=row.texts("usage"),
        note=row.text("note") if "note" in row.keys() else "",  # noqa: SIM118 - a Row is no mapping
    )


def _cards(row: Row) -> list[NetworkCard]:
    return [
        NetworkCard(index, card.number("slots"), card.maybe_number("gbps"), card.texts("interfaces"))
        for card in row.rows("cards")
        for index in range(card.number("first"), card.number("last") + 1, card.number("step"))
    ]
