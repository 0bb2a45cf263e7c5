"""What `tessera env` sets, and what it leaves."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli import environment, plugin
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


@pytest.fixture
def place():
    return pulumi_home() / "plugins" / "resource-kubernetes-v4.34.2" / PROVIDER


def test_prepare_makes_the_backend_and_puts_the_provider_in_its_place(toolset, place):
    for _ in range(2):
        prepare(toolset, variables(toolset, {}))
    assert str(toolset.path(PROVIDER).resolve()) in place.read_text()
    assert os.access(place, os.X_OK)
    assert backend_dir().stat().st_mode & 0o777 == 0o700
    assert [path.name for path in place.parent.iterdir()] == [PROVIDER]


@pytest.mark.parametrize("former", ["link", "script"])
def test_prepare_replaces_what_starts_a_former_binary(toolset, place, former, tmp_path):
    if former == "link":
        place.parent.mkdir(parents=True)
        place.symlink_to("/gone")
    else:
        plugin.place(place.parent, Path("/gone"), tmp_path)
    prepare(toolset, variables(toolset, {}))
    assert str(toolset.path(PROVIDER).resolve()) in place.read_text()


@pytest.mark.parametrize("ends", ["by itself", "interrupted", "terminated"])
def test_what_the_provider_writes_goes_when_it_ends(toolset, place, ends):
    """As the engine ends it: a signal for the whole group."""
    toolset.path(PROVIDER).write_text('#!/bin/sh\necho key > "$TMPDIR/kubeconfig1"\necho "$TMPDIR"\nread -r _\n')
    toolset.path(PROVIDER).chmod(0o755)
    prepare(toolset, variables(toolset, {}))
    with subprocess.Popen(
        [place], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        folder = Path(running.stdout.readline().strip())
        assert folder.is_relative_to(pulumi_home())
        assert folder.stat().st_mode & 0o777 == 0o700
        if ends == "by itself":
            running.stdin.write("\n")
            running.stdin.flush()
        else:
            os.killpg(running.pid, signal.SIGINT if ends == "interrupted" else signal.SIGTERM)
    assert not folder.exists()


def test_what_a_killed_provider_left_goes_with_the_next_one(toolset, place):
    left = pulumi_home() / "running" / "provider.999999999"
    left.mkdir(parents=True)
    toolset.path(PROVIDER).write_text("#!/bin/sh\n")
    toolset.path(PROVIDER).chmod(0o755)
    prepare(toolset, variables(toolset, {}))
    subprocess.run([place], check=True)
    assert not list(left.parent.iterdir())


def test_prepare_leaves_the_official_plugin_and_a_users_backend(toolset, tmp_path):
    official = tmp_path / "mine" / "plugins" / "resource-kubernetes-v4.34.2" / PROVIDER
    official.parent.mkdir(parents=True)
    official.write_text("official")
    prepare(toolset, {"PULUMI_HOME": str(tmp_path / "mine"), "PULUMI_BACKEND_URL": "s3://bucket"})
    assert (official.read_text(), backend_dir().exists()) == ("official", False)
