"""Processes of a lab: found by their mark and name, ended with patience and then without."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from lab import processes
from lab.home import lab_home
from lab.parts import Part

SLEEP = "/bin/sleep"
STUBBORN = "import pathlib, signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); {}; time.sleep(60)"


@pytest.fixture
def run(tmp_path, shown):
    """Starts a program in the name of a part; all of them end with the test."""
    started = []

    def start(home, name, *words, program=SLEEP):
        link = tmp_path / "bin" / name
        link.parent.mkdir(exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(program)
        argv = (str(link), *(words or ("60",)))
        started.append(processes.start(home, Part(name, argv, "https://127.0.0.1:1/", "bootstrap")))
        shown(started[-1])
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait(10)


def test_a_started_part_is_found_with_its_process_and_memory(home, run):
    process = run(home, "etcd")
    found = processes.find(home)
    assert list(found) == ["etcd"]
    assert (found["etcd"].part, found["etcd"].pid) == ("etcd", process.pid)
    assert found["etcd"].rss_mib > 0


def test_a_part_outlives_who_started_it_and_has_only_what_it_needs(home, run, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of the user")
    process = psutil.Process(run(home, "etcd").pid)
    assert os.getsid(process.pid) == process.pid
    assert set(process.environ()) <= {"PATH", "HOME", "TMPDIR", processes.MARK}
    assert process.cwd() == str(home.root)


def test_a_part_writes_to_its_log(home, run):
    process = run(home, "etcd", "not a number")
    process.wait(10)
    assert "not a number" in (home.logs / "etcd.log").read_text()


def test_an_ended_part_is_not_found(home, run):
    process = run(home, "etcd")
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it ended, and nobody has taken note of it yet
    assert processes.find(home) == {}


def test_a_program_that_inherited_the_mark_is_no_part(home, shown):
    environment = {processes.MARK: f"{home.root}:etcd"}
    with subprocess.Popen([SLEEP, "60"], env=environment) as shell:
        shown(shell)
        try:
            assert processes.find(home) == {}
            processes.stop(home)
            assert shell.poll() is None
        finally:
            shell.kill()


def test_stop_ends_the_named_parts_alone(home, run):
    etcd, kwok = run(home, "etcd"), run(home, "kwok")
    processes.stop(home, ["kwok"])
    assert kwok.poll() is not None
    assert (etcd.poll(), list(processes.find(home))) == (None, ["etcd"])


def test_stop_may_be_repeated_and_finds_nothing(home, run):
    run(home, "etcd")
    for _ in range(2):
        processes.stop(home)
        assert processes.find(home) == {}


def test_another_lab_is_left_alone(home, run):
    other = lab_home("lab-ab")
    other.make()
    mine, theirs = run(home, "etcd"), run(other, "etcd")
    assert [row["etcd"].pid for row in map(processes.find, (home, other))] == [mine.pid, theirs.pid]
    processes.stop(home)
    assert theirs.poll() is None


def test_a_part_that_ignores_the_request_is_killed(home, run, tmp_path):
    ready = tmp_path / "ready"
    script = STUBBORN.format(f"pathlib.Path({str(ready)!r}).touch()")
    process = run(home, "kube-apiserver", "-S", "-c", script, program=Path(sys.executable).resolve())
    while not ready.exists():
        assert process.poll() is None
    processes.stop(home, patience_s=0.1)
    assert process.poll() is not None
    assert processes.find(home) == {}


def test_parts_of_a_lab_whose_folder_is_gone_are_strays(home, run):
    process = run(home, "etcd")
    assert str(home.root) not in processes.strays()
    home.remove()
    assert processes.strays()[str(home.root)] == [process.pid]
    processes.stop(home)
    assert str(home.root) not in processes.strays()
