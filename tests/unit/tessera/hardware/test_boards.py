"""Hardware tables: rows that can be used, and what an unknown one probably meant."""

import re

import pytest

from tessera import data
from tessera.errors import TesseraError
from tessera.hardware import boards, gpus


@pytest.mark.parametrize("key", boards.names())
def test_every_board_can_be_read_and_has_seats_on_pcie(key):
    board = boards.board(key)
    assert board.key == key
    assert board.gpu.key in gpus.names()
    assert all(re.fullmatch(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", seat.bus) for seat in board.seats)
    assert all(re.fullmatch(r"pci[0-9a-f]{4}:[0-9a-f]{2}", seat.root) for seat in board.seats)


@pytest.mark.parametrize("table", ["hardware/boards.yaml", "hardware/gpus.yaml"])
def test_every_row_says_where_it_is_from_and_since_when(table):
    assert all(row["source"] and row["date"] for row in data.load(table).values())


def test_an_unknown_board_gets_the_nearest_word():
    with pytest.raises(
        TesseraError, match=r"^unknown board 'hgx-h10' \(did you mean 'hgx-h100'\?\); allowed: hgx-h100"
    ):
        boards.board("hgx-h10")


def test_an_unknown_gpu_gets_the_nearest_word():
    with pytest.raises(TesseraError, match=r"^unknown GPU 'h100-sxm' \(did you mean 'h100-sxm-80'\?\)"):
        gpus.gpu("h100-sxm")
