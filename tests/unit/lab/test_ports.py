"""Ports on the loopback address."""

import socket

from lab.ports import HOST, choose, is_free


def test_every_name_gets_a_port_of_its_own_that_is_free():
    found = choose([f"part-{number}" for number in range(50)])
    assert len(set(found.values())) == 50
    assert all(is_free(port) for port in list(found.values())[:5])


def test_nothing_asked_is_nothing_chosen():
    assert choose([]) == {}


def test_a_port_is_taken_while_a_server_listens():
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
        assert not is_free(port)
    assert is_free(port)


def test_a_port_just_left_by_a_connection_is_free():
    """A server that is started again must not wait for connections of the former one to time out."""
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
        client = socket.create_connection((HOST, port))
        accepted, _ = server.accept()
        accepted.close()  # the server's side closes first, so the port lingers in TIME_WAIT
        client.close()
    assert is_free(port)
