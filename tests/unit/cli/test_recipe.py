"""`tessera recipe`: what is printed, and the lock."""

import json
import shutil

import pytest

from cli.checkout import CHECKOUT

STACKS = ("lab", "lab-platform", "eks-h100-training", "metal-b200")


@pytest.fixture
def stack(tmp_path):
    """A stack file of one's own, with its lock."""
    for name in ("Pulumi.metal-b200.yaml", "metal-b200.lock.json"):
        shutil.copy(CHECKOUT / "stacks" / name, tmp_path)
    return tmp_path / "Pulumi.metal-b200.yaml"


@pytest.mark.parametrize("name", STACKS)
def test_every_example_stack_resolves_to_what_its_lock_says(tessera, name):
    assert tessera("recipe", "lock", "-s", name) == (0, "unchanged\n", "")


@pytest.mark.parametrize("name", STACKS)
def test_recipe_of_an_example_stack_is_its_golden(tessera, golden, name):
    code, told, _ = tessera("recipe", "show", "-s", name, "--json")
    substance = {key: value for key, value in json.loads(told).items() if key not in ("provenance", "deleted")}
    assert code == 0
    golden(name, substance)


def test_criteria_as_flags_make_a_stack_of_one_pool(tessera):
    words = "--service eks --accelerator h100 --intent training --os ubuntu-24.04 --framework kubeflow --json"
    code, told, _ = tessera("recipe", "show", *words.split())
    (pool,) = json.loads(told)["pools"]
    assert code == 0
    assert pool["criteria"]["gpu"] == "h100-sxm-80"
    assert pool["hosts"]["driver"]["modules"] == "open"


def test_the_table_cuts_what_is_long_and_names_every_path(tessera):
    _, told, _ = tessera("recipe", "show", "-s", "lab-platform")
    _, whole, _ = tessera("recipe", "show", "-s", "lab-platform", "--json")
    rows = told.splitlines()[3:]
    assert len(rows) == len(json.loads(whole)["provenance"])
    assert any(row.split()[-2] == "..." for row in rows)
    assert max(map(len, rows)) < 240


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("show", "-s", "lba"), "unknown stack 'lba' (did you mean 'lab'?)", id="unknown stack"),
        pytest.param(("show",), "say what to resolve", id="nothing said"),
        pytest.param(
            ("show", "--service", "eks", "--accelerator", "h10"), "no EC2 instance with accelerator 'h10'", id="no GPU"
        ),
        pytest.param(("show", "-s", "lab", "--service", "eks"), "give either a stack or criteria", id="both"),
        pytest.param(("show", "--service", "aks"), "aks", id="unknown service"),
        pytest.param(("why", "pools.h100.hosts.kernal", "-s", "lab"), "did you mean", id="unknown path"),
        pytest.param(("vars", "-s", "lab", "--pool", "h10"), "unknown pool 'h10'", id="unknown pool"),
    ],
)
def test_mistakes_are_one_sentence(tessera, words, said):
    code, _, error = tessera("recipe", *words)
    assert code == 3
    assert said in error


def test_why_names_layer_line_reason_and_what_was_replaced(tessera):
    _, told, _ = tessera("recipe", "why", "pools.dev.hosts.driver", "-s", "eks-h100-training")
    assert "set by " in told
    assert "recipes/layers/" in told
    assert "because " in told
    assert "replaced " in told


def test_changed_stack_differs_from_its_lock_until_its_author_agrees(tessera, stack):
    stack.write_text(
        stack.read_text().replace("board: hgx-b200\n      os: ubuntu-24.04", "board: hgx-b200\n      os: debian-13")
    )
    code, told, _ = tessera("recipe", "lock", "-s", str(stack))
    assert code == 1
    assert "os ubuntu-24.04 -> debian-13" in told
    assert "on 2 nodes of pool b200" in told
    assert tessera("recipe", "lock", "-s", str(stack), "--update")[0] == 0
    assert tessera("recipe", "lock", "-s", str(stack)) == (0, "unchanged\n", "")


def test_count_of_nodes_is_not_locked(tessera, stack):
    stack.write_text(stack.read_text().replace("        - {name: b200-2, address: 10.20.1.2}\n", ""))
    assert tessera("recipe", "lock", "-s", str(stack)) == (0, "unchanged\n", "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(lambda lock: {**lock, "format": 2}, "made by another Tessera (format 2)", id="newer"),
        pytest.param(lambda lock: {**lock, "digest": "0"}, "was changed by hand", id="edited"),
        pytest.param(lambda lock: {"format": 1}, "damaged", id="cut"),
    ],
)
def test_a_lock_that_cannot_be_trusted_is_named(tessera, stack, change, said):
    path = stack.with_name("metal-b200.lock.json")
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    code, _, error = tessera("recipe", "lock", "-s", str(stack))
    assert code == 3
    assert said in error
    assert tessera("recipe", "lock", "-s", str(stack), "--update")[0] == 0
    assert tessera("recipe", "lock", "-s", str(stack)) == (0, "unchanged\n", "")


def test_another_board_is_another_recipe(tessera, stack):
    stack.write_text(stack.read_text().replace("board: hgx-b200", "board: hgx-h200"))
    code, told, _ = tessera("recipe", "lock", "-s", str(stack))
    assert code == 1
    assert "pool b200: machine hgx-b200 -> hgx-h200" in told


def test_a_stack_without_a_lock_says_so(tessera, stack):
    stack.with_name("metal-b200.lock.json").unlink()
    assert tessera("recipe", "lock", "-s", str(stack)) == (1, "not locked yet\n", "")


def test_a_difference_is_one_line_and_json_has_it_whole(tessera):
    _, told, _ = tessera("recipe", "diff", "lab-platform", "eks-h100-training")
    _, whole, _ = tessera("recipe", "diff", "lab-platform", "eks-h100-training", "--json")
    found = json.loads(whole)
    assert len(told.splitlines()) == len(found)
    assert any("\n" in str(one["before"]) for one in found)


def test_the_lock_names_the_digest_that_show_says(tessera):
    _, told, _ = tessera("recipe", "show", "-s", "lab-platform")
    lock = json.loads((CHECKOUT / "stacks" / "lab-platform.lock.json").read_text())
    assert f"locked as {lock['digest']} " in told
