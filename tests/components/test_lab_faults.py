"""What goes wrong with a lab under a stack: each is shown by a preview and repaired by an update."""

import os
import signal
import socket
import subprocess
import sys

import psutil
import pytest

from lab import processes
from lab.client import RESOURCE_API, Client
from lab.parts import API, CONTROLLERS, ETCD, NAMES, SCHEDULER
from lab.ports import is_free
from lab.record import load
from tests.components.project import CHECKOUT
from tests.waiting import wait_until

pytestmark = [pytest.mark.engine, pytest.mark.lab]
LAB = "tessera:lab:Lab"


def kill(project, name):
    running = psutil.Process(processes.find(project.home)[name].pid)
    running.kill()
    wait_until(lambda: name not in processes.find(project.home), f"the end of {name}")


def assert_whole(project):
    """Everything runs once, all pods have their devices, and nothing is left to do."""
    project.unchanged()
    found = [name for _, root, name in processes._all_marked() if root == str(project.home.root)]
    assert sorted(found) == sorted(NAMES)
    pods = Client.of(project.home).items("/api/v1/namespaces/ai-platform/pods")
    assert [pod["status"]["phase"] for pod in pods] == ["Running"] * 3


def test_any_killed_part_is_shown_and_repaired(project):
    project.up()
    for name in NAMES:
        kill(project, name)
        assert project.planned() == {LAB: "update"}, name
        assert f"{name} is not running; an update repairs it" in project.run("preview", "-s", "lab")
        project.up()
        assert_whole(project)


def test_all_parts_killed_at_once_are_repaired(project):
    project.up()
    for name in NAMES:
        kill(project, name)
    assert project.planned() == {LAB: "update"}
    project.up()
    assert_whole(project)


@pytest.mark.parametrize("name", [SCHEDULER, API, ETCD])
def test_taken_port_is_named_and_another_one_used(project, name):
    project.up()
    old = load(project.home).ports[name]
    kill(project, name)
    wait_until(lambda: is_free(old), "the end of the dead part's sockets")
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of the dead part linger
        other.bind(("127.0.0.1", old))
        other.listen()
        assert f"port {old} is taken by another program" in project.run("preview", "-s", "lab")
        project.up()
        assert load(project.home).ports[name] != old
        assert_whole(project)


@pytest.mark.parametrize("refreshed", [False, True], ids=["at once", "after a refresh"])
def test_removed_state_folder_means_a_new_lab_and_all_on_it(project, refreshed):
    project.up()
    found = project.export()
    old, on_the_lab = found[LAB]["outputs"]["instance"], {kind for kind in found if kind.startswith("kubernetes:")}
    subprocess.run(["rm", "-r", str(project.home.root)], check=True)
    if refreshed:
        project.run("refresh", "-s", "lab", "--yes")
    planned = project.planned()
    assert {kind for kind, op in planned.items() if op == "replace"} == {LAB, *on_the_lab}
    project.up()
    assert project.export()[LAB]["outputs"]["instance"] != old
    assert len(Client.of(project.home).items(f"{RESOURCE_API}/resourceclaims")) == 3
    assert_whole(project)


def interrupt(project, when, how=signal.SIGINT):
    """Start an update, and end it as soon as the part called when runs."""
    with project.popen("up", "-s", "lab", "--yes", "--skip-preview") as process:
        wait_until(lambda: when in processes.find(project.home), f"the start of {when}")
        if how == signal.SIGKILL:  # the engine and its plugins, as an out-of-memory killer might
            for child in psutil.Process(process.pid).children(recursive=True):
                if child.name() not in NAMES:
                    child.kill()
        process.send_signal(how)
        printed, _ = process.communicate(timeout=60)
    assert process.returncode != 0, printed
    return printed


@pytest.mark.parametrize("when", [ETCD, API, CONTROLLERS])
def test_interrupted_update_goes_on_with_the_next(project, when):
    printed = interrupt(project, when)
    assert "Traceback" not in printed
    project.up()
    assert_whole(project)


def test_interrupted_update_can_be_destroyed(project):
    interrupt(project, API)
    project.destroy()
    assert not project.home.root.exists()
    assert processes.find(project.home) == {}


def test_killed_update_leaves_a_lock_that_doctor_names(project):
    interrupt(project, API, signal.SIGKILL)
    doctor = subprocess.run(
        [sys.executable, "-m", "cli.main", "doctor"],
        cwd=CHECKOUT,
        env={**os.environ, **project.env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert doctor.returncode == 1
    assert "pulumi cancel -s lab" in doctor.stdout
    assert "the stack is currently locked" in project.up(fails=True)
    project.run("cancel", "-s", "lab", "--yes")
    project.up()
    assert_whole(project)


def test_two_updates_at_once_break_nothing(project):
    with project.popen("up", "-s", "lab", "--yes", "--skip-preview") as first:
        wait_until(lambda: ETCD in processes.find(project.home), "the start of etcd")
        assert "the stack is currently locked" in project.up(fails=True)
        printed, _ = first.communicate(timeout=120)
    assert first.returncode == 0, printed
    assert_whole(project)
