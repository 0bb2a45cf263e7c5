"""`tessera claims` on paper: what terminals and pipes show of thousands of claims."""

import json
import re

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


@pytest.fixture
def terminal(monkeypatch):
    def show(rows, columns, choice=view.Choice()):  # noqa: B008 - frozen
        out = Console(width=columns, force_terminal=True, highlight=False, record=True)
        monkeypatch.setattr(view, "console", lambda: out)
        view.print_report(rows, choice)
        return [line.rstrip() for line in out.export_text().splitlines()]

    return show


@pytest.mark.parametrize("columns", [60, 80, 120, 200])
def test_a_terminal_keeps_one_line_a_row_with_its_state(thousands, terminal, columns):
    lines = terminal(thousands, columns)
    assert max(map(len, lines)) <= columns
    assert len(lines) < 60
    place = next(at for at, line in enumerate(lines) if line.startswith("pod "))
    assert all(" waiting  reason " in line for line in lines[place + 1 : place + 21])


LONG = "chat-large-language-model-server-of-the-whole-department"


def test_a_name_too_long_for_a_terminal_keeps_its_ends_and_its_count(terminal):
    rows = [row(number, LONG, "waiting", "not looked at by the scheduler yet", 0) for number in range(150)]
    assert re.match(r"ai/chat-\S+…\S*ment x 150  big +waiting  not looked", terminal(rows, 80)[-1])


def test_a_board_is_told_by_its_first_and_last_gpu(printed):
    assert "gpu-0..7" in printed([row(0, "training", devices=8)])


CHOSEN = "driver gpu.nvidia.com, memory 81559Mi >= 24G"


def test_few_rows_say_once_why_their_devices_were_chosen(printed):
    rows = [row(number, f"w{number}", why=CHOSEN) for number in range(8)]
    assert printed(rows).count(CHOSEN) == 1
    assert printed([*rows, row(8, "w8", why=CHOSEN)]).count(CHOSEN) == 0
    assert view.as_json([rows[0]], view.Choice())[0]["why"] == CHOSEN


def test_a_pipe_has_whole_names_and_no_blanks_at_the_end_of_a_line(printed, thousands):
    lines = printed([*thousands, row(2000, LONG, "idle")], view.Choice(limit=0)).splitlines()
    assert any(f"ai/{LONG}-2000  " in line for line in lines)
    assert all(line == line.rstrip() for line in lines)


def test_one_line_never_stands_for_one_reason(printed):
    for reasons, told in ((7, False), (8, True)):
        rows = [row(number, "w", "waiting", f"reason {number}", 0) for number in range(reasons)]
        assert ("2 more reasons" in printed(rows, view.Choice(summary=True))) == told


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
