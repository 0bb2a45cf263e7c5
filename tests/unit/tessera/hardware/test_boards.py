"""Boards: rows that can be used, and what an unknown one probably meant."""

import re

import pytest

from tessera.errors import TesseraError
from tessera.hardware import boards, gpus

BOARDS = [pytest.param(boards.board(key), id=key) for key in boards.names()]


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_has_seats_on_pcie(board):
    assert board.gpu.key in gpus.names()
    assert board.seats
    assert all(re.fullmatch(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", seat.bus) for seat in board.seats)
    assert all(seat.root is None or re.fullmatch(r"pci[0-9a-f]{4}:[0-9a-f]{2}", seat.root) for seat in board.seats)
    assert len({seat.bus for seat in board.seats}) == len(board.seats)


@pytest.mark.parametrize("board", BOARDS)
def test_a_gpu_sits_below_its_root(board):
    for seat in board.seats:
        domain, bus = seat.bus.split(":")[:2]
        if seat.root is not None:
            root_domain, first = seat.root.removeprefix("pci").split(":")
            assert domain == root_domain
            assert int(first, 16) <= int(bus, 16)


@pytest.mark.parametrize("board", BOARDS)
def test_a_network_card_sits_below_its_root_and_beside_the_gpus(board):
    for card in board.nics or ():
        root_domain, first = card.root.removeprefix("pci").split(":")
        domain, bus = card.bus.split(":")[:2]
        assert domain == root_domain
        assert int(first, 16) <= int(bus, 16)
    buses = [seat.bus for seat in board.seats] + [card.bus for card in board.nics or ()]
    assert len(set(buses)) == len(buses)


@pytest.mark.parametrize("board", BOARDS)
def test_a_root_is_on_one_numa_node(board):
    places = {(one.root, one.numa) for one in (*board.seats, *(board.nics or ())) if one.root}
    assert len({root for root, _ in places}) == len(places)


def test_cards_of_a_seat_are_those_below_its_root():
    assert [seat.nics for seat in boards.board("hgx-h100").seats] == [1] * 8
    assert [seat.nics for seat in boards.board("gb200-nvl72-tray").seats] == [0] * 4
    assert [seat.nics for seat in boards.board("pcie-l40s").seats] == [None] * 8


@pytest.mark.parametrize("board", BOARDS)
def test_a_boards_gpu_is_known_well_enough_to_be_simulated(board):
    assert None not in (board.gpu.product, board.gpu.brand, board.gpu.memory_mib)


@pytest.mark.parametrize("board", BOARDS)
def test_a_boards_driver_is_not_older_than_its_gpus_lowest_one(board):
    def numbers(version):
        return [int(part) for part in version.split(".")]

    assert numbers(board.driver) >= numbers(board.gpu.min_driver or "0")


@pytest.mark.parametrize("board", BOARDS)
def test_an_nvlink_domain_is_made_of_whole_machines(board):
    assert board.nvlink_machines >= 1
    if board.nvlink_gpus is not None and board.nvlink_gpus > 1:
        assert board.nvlink_gpus == board.nvlink_machines * len(board.seats)


def test_a_tray_of_an_nvl72_is_one_of_eighteen_arm_machines():
    tray = boards.board("gb200-nvl72-tray")
    assert (tray.architecture, len(tray.seats), tray.nvlink_gpus, tray.nvlink_machines) == ("arm64", 4, 72, 18)


def test_an_unknown_board_gets_the_nearest_word():
    with pytest.raises(
        TesseraError, match=r"^unknown board 'hgx-h10' \(did you mean 'hgx-h100'\?\); allowed: .*hgx-h100"
    ):
        boards.board("hgx-h10")
