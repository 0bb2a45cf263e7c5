"""What `tessera recipe` prints for people: a line each, long values cut."""

import json

import pytest

from cli.recipe.changes import print_changes, short
from tessera.recipe.diff import Change

WORDS = [f"word-{at}" for at in range(40)]
LIST = json.dumps(WORDS, separators=(",", ":"))
LONG = "x" * 100


@pytest.mark.parametrize(
    ("value", "said"),
    [
        pytest.param("a\nb", "a ...", id="file"),
        pytest.param(LONG, f"{LONG[:68]} ...", id="long word"),
        pytest.param("short", "short", id="short word"),
        pytest.param("", "", id="nothing"),
        pytest.param(WORDS, f"{str(WORDS)[:68]} ...", id="long list"),
        pytest.param(7, 7, id="number"),
    ],
)
def test_only_what_is_long_is_cut(value, said):
    assert short(value) == said


@pytest.mark.parametrize(
    ("before", "after", "text", "said"),
    [
        pytest.param(
            "a\nb",
            "a\nb\nc",
            "a\nb -> a\nb\nc",
            "a ... -> a ... (they differ further on; --json has them whole)",
            id="longer file",
        ),
        pytest.param("a\nb", "c\nd", "a\nb -> c\nd", "a ... -> c ...", id="another file"),
        pytest.param(None, "a\nb", "none -> a\nb", "none -> a ...", id="new file"),
        pytest.param(LONG, None, f"{LONG} -> none", f"{LONG[:68]} ... -> none", id="long word goes"),
        pytest.param([], WORDS, f"[] -> {LIST}", f"[] -> {LIST[:68]} ...", id="long list"),
        pytest.param(1, True, "1 -> true", "1 -> true", id="number"),
    ],
)
def test_a_change_is_one_line_and_whole_as_json(capsys, before, after, text, said):
    change = Change("values.a", before, after, f"component c: values.a {text}")
    print_changes([change], False, "none")
    assert capsys.readouterr().out == f"component c: values.a {said}\n"
    print_changes([change], True, "none")
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["before"], found["after"]) == (before, after)


def test_long_values_of_real_recipes_are_cut(tessera):
    _, told, _ = tessera("recipe", "diff", "lab-platform", "eks-h100-training")
    _, whole, _ = tessera("recipe", "diff", "lab-platform", "eks-h100-training", "--json")
    files = [one for one in json.loads(whole) if any("\n" in str(one[side]) for side in ("before", "after"))]
    assert len(files) == sum(" ... ->" in line or line.endswith(" ...") for line in told.splitlines()) > 1


def test_what_comes_or_goes_keeps_its_words(capsys):
    print_changes([Change("pools.a", 4, None, "pool a removed: 4 nodes", "a", 4)], False, "none")
    assert capsys.readouterr().out == "pool a removed: 4 nodes\n"


def test_both_digests_are_told_apart_and_json_has_the_recipes_own(tessera):
    _, told, _ = tessera("recipe", "show", "-s", "metal-b200")
    _, whole, _ = tessera("recipe", "show", "-s", "metal-b200", "--json")
    digest, locked = told.splitlines()[:2]
    assert digest.split() == ["digest", json.loads(whole)["digest"]]
    assert locked.startswith("locked as ")
    assert locked.endswith(" (without the pools' counts of nodes)")
    assert digest.split()[1] != locked.split()[2]
