"""What is printed: tables for people, JSON for programs."""

import json

import pytest

from cli.output import emit, emit_object, progress

ROWS = [{"name": "a", "ok": True, "found": None, "extra": [1]}, {"name": "b", "ok": False, "found": 0}]


def test_a_table_has_the_named_columns_in_words(capsys):
    emit(ROWS, ("name", "ok", "found", "missing"), False)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [["name", "ok", "found", "missing"], ["a", "yes", "-", "-"], ["b", "no", "0", "-"]]


def test_json_has_every_key_and_its_type(capsys):
    emit(ROWS, ("name",), True)
    assert json.loads(capsys.readouterr().out) == ROWS


@pytest.mark.parametrize(("as_json", "told"), [(True, "[]\n"), (False, "no claims\n")])
def test_no_rows_are_told_in_words_or_as_an_empty_list(capsys, as_json, told):
    emit([], ("name",), as_json, "no claims")
    assert capsys.readouterr().out == told


@pytest.mark.parametrize("text", ["[red]x[/red]", "[/red]", "[bold]", "a[0]", "[", "https://host:1/[x]", "C:\\x"])
def test_markup_is_shown_as_it_is(capsys, text):
    emit([{"name": text}], ("name",), False)
    assert capsys.readouterr().out.splitlines()[1].rstrip() == text


@pytest.mark.parametrize("text", [":key:", "host:x:1", "ends in \\"])
def test_what_only_rich_takes_for_markup_is_shown_as_it_is(capsys, text):
    emit([{"name": text}], ("name",), False)
    assert capsys.readouterr().out.splitlines()[1].rstrip() == text


def test_a_pipe_gets_each_row_on_one_line(capsys):
    emit([{"why": "x" * 500, "name": "a"}], ("name", "why"), False)
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_an_object_is_a_line_a_key_or_json(capsys):
    emit_object({"lab": "a", "nodes": 2, "ready": True}, False)
    assert capsys.readouterr().out.splitlines() == ["lab    a", "nodes  2", "ready  yes"]
    emit_object({"lab": "a", "nodes": 2}, True)
    assert json.loads(capsys.readouterr().out) == {"lab": "a", "nodes": 2}


def test_markup_in_an_object_is_shown_as_it_is(capsys):
    emit_object({"path": "/home/[red]/x"}, False)
    assert capsys.readouterr().out == "path  /home/[red]/x\n"


def test_progress_is_no_output(capsys):
    progress()("starting etcd")
    assert capsys.readouterr() == ("", "starting etcd\n")
