"""Labs from the command line: several at once, changed, interrupted, removed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from lab import faults, lifecycle, processes
from lab.home import lab_home
from lab.parts import ETCD, NAMES
from lab.record import load
from tests.waiting import wait_until

pytestmark = pytest.mark.lab
CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("TESSERA_HOME", str(tmp_path))
    yield
    tessera("lab", "down", "--all")


def tessera(*words, status=0):
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", *words], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def nodes(name):
    return [row["node"] for row in json.loads(tessera("lab", "nodes", name, "--json"))]


def test_two_labs_live_side_by_side_and_leave_nothing():
    first = json.loads(tessera("lab", "up", "a", "--pool", "h100=hgx-h100:1", "--json"))
    tessera("lab", "up", "b", "--pool", "dev=hgx-h100:2")
    assert first["memory_mib"] > 100
    assert first["seconds"] > 0
    assert nodes("a") == ["h100-0"]
    assert nodes("b") == ["dev-0", "dev-1"]

    tessera("lab", "down", "a")
    assert processes.find(lab_home("a")) == {}
    assert not lab_home("a").root.exists()
    assert nodes("b") == ["dev-0", "dev-1"]

    assert "nothing; all was running" in tessera("lab", "up", "b")
    assert nodes("b") == ["dev-0", "dev-1"]


def test_unchanged_lab_keeps_its_processes_and_ports():
    tessera("lab", "up", "a")
    before = json.loads(tessera("lab", "status", "a", "--json"))
    tessera("lab", "up", "a")
    after = json.loads(tessera("lab", "status", "a", "--json"))
    assert [(row["port"], row["pid"]) for row in before] == [(row["port"], row["pid"]) for row in after]


def test_down_leaves_nothing_whatever_was_killed_before():
    tessera("lab", "up", "a")
    for part in NAMES[::2]:
        psutil.Process(processes.find(lab_home("a"))[part].pid).kill()
    assert "is not running" in tessera("lab", "status", "a", status=1)
    tessera("lab", "down", "a")
    assert processes.find(lab_home("a")) == {}
    assert list(lab_home("a").root.parent.iterdir()) == [lab_home("a").root.parent / ".a.lock"]
    assert "was not there" in tessera("lab", "down", "a")


def test_processes_of_a_lost_folder_are_found_by_doctor_and_ended_by_down():
    tessera("lab", "up", "a")
    subprocess.run(["rm", "-r", str(lab_home("a").root)], check=True)
    assert "of a lab whose folder" in tessera("doctor", status=1)
    tessera("lab", "down", "a")
    assert processes.strays() == {}


def test_interrupted_up_goes_on_with_the_next():
    command = [sys.executable, "-m", "cli.main", "lab", "up", "a"]
    with subprocess.Popen(command, cwd=CHECKOUT, env=os.environ, text=True, stderr=subprocess.PIPE) as process:
        wait_until(lambda: ETCD in processes.find(lab_home("a")), "the start of etcd")
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode == 130, said
    assert "goes on" in said
    assert "Traceback" not in said
    tessera("lab", "up", "a")
    tessera("lab", "status", "a")


def test_two_ups_at_once_make_one_lab():
    command = [sys.executable, "-m", "cli.main", "lab", "up", "a"]
    both = [subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    for process in both:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    running = [name for _, root, name in processes._all_marked() if root == str(lab_home("a").root)]
    assert sorted(running) == sorted(NAMES)


@pytest.mark.full
def test_lab_of_the_alternative_kubernetes():
    tessera("lab", "up", "next", "--kubernetes", "1.37")
    tessera("lab", "status", "next")


def test_another_kubernetes_version_is_refused_on_a_lab_that_has_one():
    tessera("lab", "up", "a")
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "lab", "up", "a", "--kubernetes", "1.37"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "lab 'a' runs Kubernetes 1.36, and its data can't be taken to 1.37 here" in done.stderr
    tessera("lab", "status", "a")


def test_renewed_certificates_restart_every_part(monkeypatch):
    tessera("lab", "up", "a")
    before = {part.pid for part in processes.find(lab_home("a")).values()}
    monkeypatch.setattr("lab.pki.RENEW_DAYS", 400)
    home = lab_home("a")
    assert "certificates end within" in "; ".join(faults.faults(home, load(home)))
    lifecycle.up(load(home).spec)
    monkeypatch.undo()
    monkeypatch.setenv("TESSERA_HOME", str(home.root.parents[1]))
    assert before.isdisjoint(part.pid for part in processes.find(home).values())
    assert faults.faults(home, load(home)) == []
    assert nodes("a") == ["h100-0", "h100-1"]
