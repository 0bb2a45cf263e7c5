"""What is wrong with a lab, told without starting one."""

import dataclasses
import http.server
import socket
import threading

import pytest

from lab import faults, ports, processes
from lab.parts import API, KWOK, NAMES, Part


@pytest.fixture
def lab(home, record):
    """A lab with ports that nobody else uses."""
    return home, dataclasses.replace(record, ports=ports.choose(record.ports))


@pytest.fixture
def kwok(lab, tmp_path, shown):
    """A program in kwok's name, which does not answer anything."""
    (tmp_path / KWOK).symlink_to("/bin/sleep")
    process = processes.start(lab[0], Part(KWOK, (str(tmp_path / KWOK), "60"), "", ""))
    shown(process)
    yield process
    process.kill()
    process.wait(10)


@pytest.fixture
def healthy(lab):
    """A server that says it is well, at kwok's port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer((ports.HOST, lab[1].ports[KWOK]), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_lab_without_processes_has_a_fault_for_each_part(lab):
    assert faults.faults(*lab) == [f"{name} is not running" for name in NAMES]


def test_a_port_taken_by_another_program_is_named(lab):
    port = lab[1].ports["etcd"]
    with socket.create_server((ports.HOST, port)):
        first = faults.faults(*lab)[0]
    assert first == f"etcd is not running, and port {port} is taken by another program"


def test_a_part_that_runs_and_does_not_answer_is_told_with_its_process(lab, kwok):
    assert faults.faults(*lab)[-1] == f"kwok runs (pid {kwok.pid}) but does not answer"


@pytest.mark.usefixtures("healthy")
def test_a_part_that_runs_and_answers_has_no_fault(lab, kwok):
    *others, status = faults.examine(*lab)
    assert (status.name, status.port, status.running.pid, status.serves, status.fault) == (
        KWOK,
        lab[1].ports[KWOK],
        kwok.pid,
        True,
        None,
    )
    assert all(other.fault for other in others)


@pytest.mark.usefixtures("healthy")
def test_another_program_that_answers_at_a_parts_port_is_not_the_part(lab):
    assert faults.faults(*lab)[-1] == (
        f"kwok is not running, and port {lab[1].ports[KWOK]} is taken by another program"
    )


def test_the_api_server_moves_only_where_another_program_has_its_port(lab):
    home, record = lab
    assert not faults.api_moves(home)  # there is no lab yet
    record.save(home)
    assert not faults.api_moves(home)
    with socket.create_server((ports.HOST, record.ports[API])):
        assert faults.api_moves(home)
