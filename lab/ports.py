"""Ports of a lab on the loopback address."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable

HOST = "127.0.0.1"


def choose(names: Iterable[str]) -> dict[str, int]:
    """A free port for each name, all different."""
    held, ports = [], {}
    for name in names:
        server = socket.socket()
        server.bind((HOST, 0))
        held.append(server)  # held until all are chosen, so that none is given twice
        ports[name] = int(server.getsockname()[1])
    for server in held:
        server.close()
    return ports


def is_free(port: int, patience_s: float = 0) -> bool:
    """Whether a server could listen on the port, now or within patience_s seconds.

    A process that was just killed is gone from the process table before its sockets are closed.
    """
    deadline = time.monotonic() + patience_s
    while not _can_listen(port):
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.02)
    return True


def _can_listen(port: int) -> bool:
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind((HOST, port))
        except OSError:
            return False
        return True
