"""What `tessera env` sets, and what it leaves."""

import os
import sys
from pathlib import Path

import pytest

from cli import environment
from cli.environment import COMMANDS, PROVIDER, backend_dir, prepare, pulumi_home, variables
from tools.toolset import Place, Toolset

VENV = str(Path(sys.executable).parent)


@pytest.fixture
def toolset(tmp_path):
    places = {}
    for name in (*COMMANDS, PROVIDER):
        path = tmp_path / "built" / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
        places[name] = Place(path, "built", "4.34.2")
    return Toolset(places)


def test_nothing_given_gets_everything_that_pulumi_needs(toolset, state):
    found = variables(toolset, {})
    assert {name: value for name, value in found.items() if name != "PATH"} == {
        "PULUMI_HOME": str(state / "pulumi"),
        "PULUMI_BACKEND_URL": f"file://{state / 'stacks'}",
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        "PULUMI_CONFIG_PASSPHRASE": environment.PASSPHRASE,
        "TESSERA_PYTHON": sys.executable,
    }


@pytest.mark.parametrize(
    "name",
    [
        "PULUMI_HOME",
        "PULUMI_BACKEND_URL",
        "PULUMI_SKIP_UPDATE_CHECK",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION",
        "PULUMI_CONFIG_PASSPHRASE",
        "TESSERA_PYTHON",
    ],
)
def test_what_the_user_has_set_is_not_set(toolset, name):
    assert name not in variables(toolset, {name: "the user's"})


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"PULUMI_CONFIG_PASSPHRASE": "mine"}, id="a passphrase"),
        pytest.param({"PULUMI_CONFIG_PASSPHRASE": ""}, id="an empty passphrase"),
        pytest.param({"PULUMI_CONFIG_PASSPHRASE_FILE": "/mine"}, id="a file with one"),
    ],
)
def test_a_users_passphrase_is_left_alone_wherever_it_is(toolset, given):
    assert not {"PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"} & set(variables(toolset, given))


def test_our_commands_come_first_on_path_then_our_python_then_the_users(toolset):
    first, second, *rest = variables(toolset, {"PATH": "/usr/bin:/bin"})["PATH"].split(os.pathsep)
    assert sorted(path.name for path in Path(first).iterdir()) == sorted(COMMANDS)
    assert (second, rest) == (VENV, ["/usr/bin", "/bin"])


def test_a_second_time_changes_nothing_on_path(toolset):
    once = variables(toolset, {"PATH": f"/usr/bin:{VENV}::/bin"})["PATH"]
    assert variables(toolset, {"PATH": once})["PATH"] == once
    folders = once.split(os.pathsep)
    assert len(set(folders)) == len(folders) == 4


def test_path_may_be_missing_and_holds_no_empty_folder(toolset):
    assert "" not in variables(toolset, {})["PATH"].split(os.pathsep)


def test_prepare_makes_the_backend_and_puts_the_provider_in_its_place(toolset):
    for _ in range(2):
        prepare(toolset, variables(toolset, {}))
    link = pulumi_home() / "plugins" / "resource-kubernetes-v4.34.2" / PROVIDER
    assert link.resolve() == toolset.path(PROVIDER).resolve()
    assert backend_dir().stat().st_mode & 0o777 == 0o700
    assert [path.name for path in link.parent.iterdir()] == [PROVIDER]


def test_prepare_turns_a_link_to_a_former_binary(toolset):
    link = pulumi_home() / "plugins" / "resource-kubernetes-v4.34.2" / PROVIDER
    link.parent.mkdir(parents=True)
    link.symlink_to("/gone")
    prepare(toolset, variables(toolset, {}))
    assert link.resolve() == toolset.path(PROVIDER).resolve()


def test_prepare_leaves_the_official_plugin_and_a_users_backend(toolset, tmp_path):
    plugin = tmp_path / "mine" / "plugins" / "resource-kubernetes-v4.34.2" / PROVIDER
    plugin.parent.mkdir(parents=True)
    plugin.write_text("official")
    prepare(toolset, {"PULUMI_HOME": str(tmp_path / "mine"), "PULUMI_BACKEND_URL": "s3://bucket"})
    assert (plugin.read_text(), backend_dir().exists()) == ("official", False)
