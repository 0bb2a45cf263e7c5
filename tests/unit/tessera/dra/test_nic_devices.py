"""Network cards: one below each GPU's root on HGX boards."""

import re

import pytest

from tessera.dra.gpu_devices import PCIE_ROOT, gpu_device, of_board
from tessera.dra.nic_devices import nic_devices
from tessera.hardware import boards


@pytest.mark.parametrize("key", ["hgx-h100", "hgx-h200", "hgx-b200"])
def test_each_gpu_shares_its_root_with_one_card(key):
    board = boards.board(key)
    cards = [device["attributes"][PCIE_ROOT] for device in nic_devices("n", board)]
    assert cards == [gpu_device(placed)["attributes"][PCIE_ROOT] for placed in of_board("n", board)]


def test_no_card_of_a_gb200_tray_shares_a_root_with_a_gpu():
    board = boards.board("gb200-nvl72-tray")
    cards = {device["attributes"][PCIE_ROOT]["string"] for device in nic_devices("n", board)}
    assert len(cards) == 4
    assert cards.isdisjoint(seat.root for seat in board.seats)


def test_a_board_with_unknown_cards_publishes_none():
    assert nic_devices("n", boards.board("pcie-l40s")) == []


def test_a_card_is_called_after_its_address_and_carries_rdma():
    first = nic_devices("n", boards.board("hgx-h100"))[0]
    attributes = first["attributes"]
    assert first["name"] == "pci-0000-18-00-0"
    assert attributes["dra.net/ifName"] == {"string": "ibp24s0"}
    assert attributes["dra.net/rdma"] == {"bool": True}
    assert re.fullmatch(r"([0-9a-f]{2}:){19}[0-9a-f]{2}", attributes["dra.net/mac"]["string"])


def test_addresses_differ_over_nodes_and_cards():
    board = boards.board("hgx-h100")
    found = [
        device["attributes"]["dra.net/mac"]["string"] for node in ("a", "b") for device in nic_devices(node, board)
    ]
    assert len(set(found)) == 16
