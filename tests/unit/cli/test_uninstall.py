"""`tessera uninstall` removes what is Tessera's, and only once nothing of the user's is left in it."""

import pytest

from cli.environment import backend_dir
from lab.home import lab_home


@pytest.fixture
def folders(tmp_path):
    """State and cache, with something in each."""
    found = (tmp_path / "state", tmp_path / "cache")
    (found[0] / "pulumi").mkdir(parents=True)
    found[1].mkdir()
    return found


def test_state_goes_and_the_built_binaries_stay(tessera, folders):
    state, cache = folders
    assert tessera("uninstall") == (0, f"removed {state}\n", "")
    assert (state.exists(), cache.exists()) == (False, True)


def test_the_built_binaries_go_on_demand(tessera, folders):
    assert tessera("uninstall", "--tools")[0] == 0
    assert not any(folder.exists() for folder in folders)


def test_a_second_time_there_is_nothing(tessera, state):
    assert tessera("uninstall") == (0, f"{state} was not there\n", "")


def test_labs_and_stacks_that_are_left_are_all_named_and_nothing_is_removed(tessera, folders):
    lab_home("lab-a").make()
    stack = backend_dir() / ".pulumi" / "stacks" / "tessera" / "dev.json"
    stack.parent.mkdir(parents=True)
    stack.touch()
    code, told, said = tessera("uninstall", "--tools")
    assert (code, told) == (3, "")
    assert said.splitlines() == [
        "tessera: lab lab-a is left; `tessera lab down lab-a` removes it",
        "stack dev is left; `pulumi destroy -s dev`, then `pulumi stack rm dev --preserve-config` remove it",
    ]
    assert all(folder.exists() for folder in folders)


def test_what_is_not_tesseras_in_its_folder_stays(tessera, folders):
    (folders[0] / "thesis.txt").touch()
    tessera("uninstall")
    assert (folders[0] / "thesis.txt").exists()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param('{"checkpoint": {"latest": {}}}', 0, id="an empty stack, as env makes it"),
        pytest.param('{"checkpoint": {"latest": {"resources": [{"urn": "u"}]}}}', 3, id="a stack with resources"),
        pytest.param("no json", 3, id="a state that can't be read"),
    ],
)
def test_only_stacks_that_hold_something_are_in_the_way(tessera, folders, content, code):
    path = backend_dir() / ".pulumi" / "stacks" / "tessera" / "lab.json"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert tessera("uninstall")[0] == code
