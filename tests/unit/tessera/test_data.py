"""The recipes folder, and how its faults are told."""

import pytest

from tessera import data
from tessera.errors import ProblemsError, TesseraError


def test_a_missing_recipe_is_told_with_its_path():
    with pytest.raises(TesseraError, match=r"^recipes/classes/nope\.yaml: can't be read \(No such file"):
        data.load("classes/nope.yaml")


def test_names_are_those_of_the_files_sorted(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "RECIPES", tmp_path)
    (tmp_path / "classes").mkdir()
    for name in ("b.yaml", "a.yaml", "notes.txt"):
        (tmp_path / "classes" / name).touch()
    assert data.names("classes") == ["a", "b"]


def test_several_problems_are_one_a_line():
    error = ProblemsError(["first", "second"])
    assert (str(error), error.problems) == ("first\nsecond", ("first", "second"))
