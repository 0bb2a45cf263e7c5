"""Rows: a wrong value says where it is, and unknown is no number."""

from datetime import date

import pytest

from tessera.errors import TesseraError
from tessera.hardware.rows import Row, known, say

ROW = Row(
    "recipes/hardware/gpus.yaml.l4",
    {
        "memory_mib": "unknown",
        "product": "NVIDIA L4",
        "count": 8,
        "on": True,
        "day": date(2026, 11, 30),
        "pci": ["27B8"],
        "starts": [0, "4"],
    },
)


def test_unknown_is_read_as_none_and_said_as_a_word():
    assert ROW.maybe_number("memory_mib") is None
    assert (say(None), say(0), say("x")) == ("unknown", "0", "x")


def test_what_is_known_is_read_with_its_type():
    assert (ROW.text("product"), ROW.number("count"), ROW.day("day"), ROW.texts("pci")) == (
        "NVIDIA L4", 8, date(2026, 11, 30), ("27B8",)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("read", "key", "said"),
    [
        pytest.param(Row.number, "product", r"found 'NVIDIA L4', allowed: a int", id="text for a number"),
        pytest.param(Row.number, "memory_mib", r"found 'unknown', allowed: a int", id="unknown where it must be known"),
        pytest.param(Row.text, "memory_mib", r"found 'unknown', allowed: a str", id="unknown text"),
        pytest.param(Row.maybe_number, "memory", r"found None, allowed: a int", id="missing is not unknown"),
        pytest.param(Row.number, "on", r"found True, allowed: a int", id="a truth is no number"),
        pytest.param(Row.numbers, "starts", r"found \[0, '4'\], allowed: a list of int", id="list with a text"),
        pytest.param(Row.row, "product", r"is no row; found 'NVIDIA L4'", id="text for a row"),
    ],
)
def test_a_wrong_value_names_its_place(read, key, said):
    with pytest.raises(TesseraError, match=rf"^recipes/hardware/gpus\.yaml\.l4\.{key}: {said}"):
        read(ROW, key)


def test_who_needs_an_unknown_value_is_told_so():
    assert known(0, "count") == 0
    with pytest.raises(TesseraError, match=r"^memory of h100-sxm-96 is unknown; measure it"):
        known(None, "memory of h100-sxm-96")
