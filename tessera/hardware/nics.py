"""NICs: the RDMA network cards of a board, each with its place on PCIe."""

from __future__ import annotations

from dataclasses import dataclass

from tessera.errors import TesseraError
from tessera.hardware.rows import UNKNOWN, Row

LINKS = ("infiniband", "ether")


@dataclass(frozen=True)
class Nic:
    """One card; None is unknown.

    bus: PCI address. root: PCIe root complex. numa: NUMA node. interface: as the host calls it. product: as the PCI
    database calls it. link: infiniband or ether.
    """

    bus: str
    root: str | None
    numa: int | None
    interface: str
    product: str
    link: str


def board_nics(row: Row) -> tuple[Nic, ...] | None:
    """The cards of a board's row; None where nobody knows them."""
    if row.value("nics") == UNKNOWN:
        return None
    inside = row.row("nics")
    product, link = inside.text("product"), inside.text("link")
    if link not in LINKS:
        raise TesseraError(f"{inside.where}.link: found {link!r}, allowed: {', '.join(LINKS)}")
    return tuple(
        Nic(card.text("bus"), card.maybe_text("root"), card.maybe_number("numa"), card.text("name"), product, link)
        for card in inside.rows("cards")
    )


def below(root: str | None, cards: tuple[Nic, ...] | None) -> int | None:
    """Count of cards below a root; None where the root, the cards or a card's root is unknown."""
    if root is None or cards is None or any(card.root is None for card in cards):
        return None
    return sum(card.root == root for card in cards)
