"""Locks that a killed `pulumi` left behind."""

import getpass
import json
import os
import socket
import subprocess

import pytest

from cli.locks import locks

HERE = {"hostname": socket.gethostname(), "username": getpass.getuser(), "timestamp": "2026-11-30T12:00:00Z"}


@pytest.fixture
def lock(tmp_path):
    """Writes a lock on the stack dev."""

    def write(content, name="a"):
        path = tmp_path / ".pulumi" / "locks" / "organization" / "tessera" / "dev" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


@pytest.fixture
def ended():
    """A process id that nobody has any more."""
    with subprocess.Popen(["/bin/true"]) as process:
        process.wait()
    return process.pid


@pytest.fixture
def pulumi(tmp_path):
    """The process id of a running pulumi."""
    (tmp_path / "pulumi").symlink_to("/bin/sleep")
    with subprocess.Popen([tmp_path / "pulumi", "60"]) as process:
        yield process.pid
        process.kill()


def test_a_lock_of_a_process_that_is_gone_is_stale(lock, ended, tmp_path):
    lock({**HERE, "pid": ended})
    (found,) = locks(tmp_path)
    assert (found.stack, found.holder, found.host, found.since) == ("dev", ended, HERE["hostname"], HERE["timestamp"])
    assert found.stale


def test_a_lock_of_a_running_pulumi_is_not_stale(lock, pulumi, tmp_path):
    lock({**HERE, "pid": pulumi})
    assert [found.stale for found in locks(tmp_path)] == [False]


def test_a_lock_whose_process_id_another_program_has_now_is_stale(lock, tmp_path):
    lock({**HERE, "pid": os.getpid()})
    assert [found.stale for found in locks(tmp_path)] == [True]


@pytest.mark.parametrize("elsewhere", [{"hostname": "another"}, {"username": "somebody"}])
def test_of_another_host_or_user_we_know_nothing(lock, ended, tmp_path, elsewhere):
    lock({**HERE, "pid": ended, **elsewhere})
    assert [found.stale for found in locks(tmp_path)] == [False]


@pytest.mark.parametrize("text", ["", "{", '{"pid": 1'])
def test_a_lock_that_is_being_written_is_passed_over(lock, ended, tmp_path, text):
    lock(text, "a")
    lock({**HERE, "pid": ended}, "b")
    assert [found.holder for found in locks(tmp_path)] == [ended]


@pytest.mark.parametrize("text", ["[]", "null", '{"pid": null}', '{"pid": "x"}'])
def test_a_lock_of_another_shape_is_passed_over(lock, ended, tmp_path, text):
    lock(text, "a")
    lock({**HERE, "pid": ended}, "b")
    assert [found.holder for found in locks(tmp_path)] == [ended]


def test_no_backend_has_no_locks(tmp_path):
    assert list(locks(tmp_path / "nowhere")) == []
