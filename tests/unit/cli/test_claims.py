"""`tessera claims` on paper: what a terminal of 120 columns shows of thousands of claims."""

import json

import pytest
from rich.console import Console

from cli.claims import view
from tessera.dra.rows import Device, Row

PRODUCT = "NVIDIA H100 80GB HBM3"


def row(number, workload, state="in use", why="", devices=1):
    held = tuple(
        Device("gpu", "gpu.nvidia.com", f"n{number}", f"gpu-{at}", "big", f"n{number}", PRODUCT)
        for at in range(devices)
    )
    node = f"n{number}" if held else ""
    return Row(
        f"ai/{number}", "ai", f"c{number}", (f"{workload}-{number}",), workload, "big", state, why, why, held, node
    )


@pytest.fixture
def printed(capsys):
    def show(rows, choice=view.Choice()):  # noqa: B008 - frozen
        view.print_report(rows, choice)
        return capsys.readouterr().out

    return show


@pytest.fixture
def thousands():
    waiting = [row(number, f"w{number % 30}", "waiting", f"reason {number % 9}", 0) for number in range(1200)]
    return [*waiting, *(row(number, f"u{number % 30}") for number in range(1200, 2000))]


def test_two_thousand_claims_fit_on_a_screen(printed, thousands):
    lines = printed(thousands).splitlines()
    assert len(lines) < 60
    assert lines[0] == "2000 claims, 800 devices: 800 in use, 1200 waiting"


def test_every_claim_has_a_line_where_all_is_asked(printed, thousands):
    assert len(printed(thousands, view.Choice(every=True, limit=0)).splitlines()) > 2000


def test_a_summary_has_no_rows(printed, thousands):
    assert "u1-" not in printed(thousands, view.Choice(summary=True))


def test_a_terminal_of_120_columns_keeps_one_line_a_row(thousands, monkeypatch):
    out = Console(width=120, force_terminal=True, highlight=False, record=True)
    monkeypatch.setattr(view, "console", lambda: out)
    view.print_report(thousands, view.Choice())
    lines = out.export_text().splitlines()
    assert max(map(len, lines)) <= 120
    assert len(lines) < 60


def test_a_board_is_told_by_its_first_and_last_gpu(printed):
    assert "gpu-0..7" in printed([row(0, "training", devices=8)])


def test_nothing_is_said_to_be_nothing(printed):
    assert printed([]) == "no claims\n"


def test_json_has_every_field_of_every_device():
    (found,) = json.loads(json.dumps(view.as_json([row(0, "training", devices=2)], view.Choice())))
    assert (found["pod"], found["class"], found["state"]) == ("training-0", "big", "in use")
    assert [device["device"] for device in found["devices"]] == ["gpu-0", "gpu-1"]
    assert set(found["devices"][0]) == {
        "class", "request", "driver", "pool", "device", "node", "product", "profile", "parent", "admin"
    }  # fmt: skip


def test_json_of_a_summary_has_the_counts(thousands):
    found = view.as_json(thousands, view.Choice(summary=True))
    assert (found["claims"], found["states"]) == (2000, {"waiting": 1200, "in use": 800})
