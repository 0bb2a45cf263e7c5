"""The cache of resolved recipes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tessera.errors import ProblemsError
from tessera.recipe import cache, canonical, layers
from tessera.recipe.resolve import resolve


@pytest.fixture
def folder(tmp_path):
    return Path(shutil.copytree(Path(__file__).parent / "layers", tmp_path / "layers"))


@pytest.fixture
def ask(folder, tmp_path, request_for):
    """Resolves through the cache, and says how often it was made."""
    made = []

    def run(request=None, kept=tmp_path / "cache"):
        asked = request or request_for()
        found = cache.cached(
            canonical.text(asked.document()),
            [folder],
            kept,
            lambda: made.append(1) or resolve(asked, layers.read(folder)),
        )
        return found, len(made)

    return run


def entry(tmp_path):
    (found,) = (tmp_path / "cache").iterdir()
    return found


def test_the_second_time_nothing_is_made_and_all_is_the_same(ask):
    first, second = ask(), ask()
    assert (first[0], first[1], second[1]) == (second[0], 1, 1)
    assert first[0].to_json() == second[0].to_json()


def test_another_request_or_another_byte_of_a_layer_is_made_anew(ask, request_for, folder, pool):
    ask()
    assert ask(request_for(overrides={"gpu-operator": {"a": 1}}))[1] == 2
    assert ask(request_for(pool(size=5)))[1] == 3
    path = folder / "os" / "rhel-9.yaml"
    path.write_text(path.read_text() + "# a word\n")
    assert ask()[1] == 4
    path.rename(folder / "os" / "rhel-9.yml")
    with pytest.raises(ProblemsError, match=r"must end in \.yaml"):
        ask()


def test_the_order_of_pools_and_keys_is_not_another_request(ask, request_for, pool):
    ask(request_for(pool("a"), pool("b")))
    assert ask(request_for(pool("b"), pool("a")))[1] == 1


@pytest.mark.parametrize("keep", [0, 1, 64, 65, 66, 1000, -1])
def test_a_half_written_file_counts_as_not_there_and_is_mended(ask, tmp_path, keep):
    found, _ = ask()
    path = entry(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:keep])
    assert ask() == (found, 2)
    assert path.read_bytes() == whole


def test_a_file_that_was_changed_or_is_no_text_counts_as_not_there(ask, tmp_path):
    found, _ = ask()
    path = entry(tmp_path)
    for broken in (path.read_bytes().replace(b"580", b"581"), b"\xff\xfe", b""):
        path.write_bytes(broken)
        assert ask()[0] == found


def test_a_folder_that_cannot_be_written_is_no_error(ask, tmp_path):
    (tmp_path / "file").write_text("")
    assert ask(kept=tmp_path / "file" / "cache")[1] == 1


def test_a_recipe_with_problems_is_not_kept(ask, request_for, tmp_path):
    with pytest.raises(ProblemsError):
        ask(request_for(service="eks"))
    assert not (tmp_path / "cache").exists()


def test_the_oldest_go_first(ask, request_for, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "KEPT", 2)
    for at in range(3):
        ask(request_for(overrides={"gpu-operator": {"a": at}}))
        for age, path in enumerate(sorted((tmp_path / "cache").iterdir(), key=lambda kept: kept.stat().st_mtime_ns)):
            os.utime(path, (at + age, at + age))
    assert len(list((tmp_path / "cache").iterdir())) == 2
    assert ask(request_for(overrides={"gpu-operator": {"a": 2}}))[1] == 3
    assert ask(request_for(overrides={"gpu-operator": {"a": 0}}))[1] == 4


def test_a_recipe_from_the_cache_needs_neither_yaml_nor_the_resolver():
    unwanted = "{'yaml', 'pydantic', 'tessera.recipe.resolve'}"
    code = f"import sys, tessera.recipe.cache; print(sorted({unwanted} & set(sys.modules)))"
    root = Path(__file__).parents[4]
    found = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
