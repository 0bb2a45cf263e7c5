"""Exit codes and sentences of the command line."""

import json
import os
import subprocess
import sys

import pytest
from typer.main import get_command

from cli.main import app
from lab.home import lab_home
from lab.parts import NAMES
from lab.ports import choose
from lab.record import PORTS, LabRecord, LabSpec


def _commands(command, words=()):
    """The words of every command and group, found by walking the application."""
    yield words
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, (*words, name))


COMMANDS = list(_commands(get_command(app)))


@pytest.fixture
def dead_lab():
    """A lab with its processes dead."""
    home = lab_home("lab")
    home.make()
    LabRecord(LabSpec("lab", "1.36", ()), "i", choose(PORTS)).save(home)
    home.kubeconfig.write_text("a kubeconfig")
    return home


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words) or "tessera")
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_command_has_help(tessera, words, option):
    code, told, _ = tessera(*words, option)
    assert (code, " ".join(("Usage: tessera", *words)) in told) == (0, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("lab", "statsu"), "Did you mean 'status'?", id="misspelt command"),
        pytest.param(("lab", "status", "--jsno"), "--json", id="misspelt option"),
        pytest.param(("doctor", "now"), "now", id="word too many"),
        pytest.param(("lab", "up", "--pool"), "--pool", id="option without its value"),
    ],
)
def test_wrong_words_are_2(tessera, words, said):
    code, _, told = tessera(*words)
    assert (code, said in told) == (2, True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param(("lab", "status", "x"), "there is no lab 'x'; start it with `tessera lab up x`", id="no lab"),
        pytest.param(("lab", "nodes", "x"), "there is no lab 'x'; start it with `tessera lab up x`", id="no nodes"),
        pytest.param(("claims",), "there is no lab 'lab'; start it with `tessera lab up lab`", id="no claims"),
        pytest.param(("claims", "--kubeconfig", "/no"), "kubeconfig /no: No such file or directory", id="no file"),
        pytest.param(
            ("lab", "kubeconfig", "../x"),
            "lab name '../x': use small letters, digits and dashes, at most 48, such as lab-a",
            id="name that is a path",
        ),
        pytest.param(
            ("lab", "up", "--kubernetes", "1.20"),
            "Kubernetes 1.20 is not one of the versions Tessera knows: choose 1.36 or 1.37.",
            id="unknown Kubernetes",
        ),
    ],
)
def test_what_could_not_be_done_is_3_with_one_sentence(tessera, words, sentence):
    assert tessera(*words) == (3, "", f"tessera: {sentence}\n")


def test_an_unknown_tool_gets_those_that_there_are(tessera):
    code, _, told = tessera("tools", "build", "etc")
    assert (code, told.startswith("tessera: unknown tool 'etc' (did you mean 'etcd'?); allowed: ")) == (3, True)


@pytest.mark.parametrize("damage", ["{", '{"format": 7}'])
def test_a_lab_that_cannot_be_read_is_3_and_says_what_to_do(tessera, dead_lab, damage):
    dead_lab.record.write_text(damage)
    code, _, told = tessera("lab", "status")
    assert (code, told.count("\n"), "lab" in told) == (3, 1, True)


def test_no_labs_are_an_empty_list(tessera):
    assert tessera("lab", "status", "--json") == (0, "[]\n", "")
    assert tessera("lab", "status") == (0, "no labs; `tessera lab up` starts one\n", "")


def test_a_lab_with_dead_parts_is_1_and_tells_them(tessera, dead_lab):
    code, told, _ = tessera("lab", "status", "--json")
    rows = json.loads(told)
    assert (code, [row["part"] for row in rows]) == (1, list(NAMES))
    assert [row["state"] for row in rows] == [f"{name} is not running" for name in NAMES]
    assert {row["pid"] for row in rows} == {None}


def test_the_kubeconfigs_path_is_printed_and_its_content_on_demand(tessera, dead_lab):
    assert tessera("lab", "kubeconfig") == (0, f"{dead_lab.kubeconfig}\n", "")
    assert tessera("lab", "kubeconfig", "--show") == (0, "a kubeconfig\n", "")


def test_down_removes_a_lab_and_may_be_repeated(tessera, dead_lab):
    assert tessera("lab", "down") == (0, "lab lab: removed\n", "")
    assert not dead_lab.root.exists()
    assert tessera("lab", "down") == (0, "lab lab: was not there\n", "")
    assert tessera("lab", "down", "--all") == (0, "no labs\n", "")


def run(*words):
    """The same in a process of its own, as a user does it."""
    return subprocess.run(
        [sys.executable, "-m", "cli.main", *words], capture_output=True, text=True, check=False, env=os.environ
    )


def test_a_process_of_its_own_ends_with_the_same_codes(tmp_path):
    failed, wrong = run("lab", "status", "x"), run("lab", "statsu")
    assert (failed.returncode, failed.stdout, failed.stderr.count("\n")) == (3, "", 1)
    assert wrong.returncode == 2
    assert "Traceback" not in failed.stderr + wrong.stderr


def test_completion_completes(tessera, monkeypatch):
    for name, value in {
        "_TESSERA_COMPLETE": "complete_bash",
        "COMP_WORDS": "tessera lab st",
        "COMP_CWORD": "2",
    }.items():
        monkeypatch.setenv(name, value)
    assert tessera() == (0, "status\n", "")


def test_completion_is_for_the_shell_that_we_are_in(tessera, monkeypatch):
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
    code, told, _ = tessera("--show-completion")
    assert (code, "complete -o default -F _tessera_completion tessera" in told) == (0, True)


def test_an_unknown_board_is_named_with_the_nearest_one(tessera):
    code, _, said = tessera("lab", "up", "--pool", "a=hgx-h10:1")
    assert code == 3
    assert said.startswith("tessera: unknown board 'hgx-h10' (did you mean 'hgx-h100'?); allowed: ")


def test_a_pool_without_a_count_is_wrong_words(tessera):
    code, _, said = tessera("lab", "up", "--pool", "a=hgx-h100")
    assert code == 2
    assert "write NAME=BOARD:COUNT" in said
