"""Simulated nodes, and bringing an API server to hold just these."""

import threading

import pytest

from lab.nodes import DIGEST, Change, publish, simulate
from lab.record import LabSpec, NodePool


def nodes(*pools):
    return simulate(LabSpec("lab-a", "1.36", tuple(NodePool(name, "hgx-h100", size) for name, size in pools)))


class Server:
    """What lab.client.Client does, on two dictionaries. fail_at: the request that fails, counted from 1."""

    def __init__(self, fail_at=0):
        self.nodes, self.slices, self.calls = {}, {}, []
        self._fail_at, self._lock = fail_at, threading.Lock()

    def node_digests(self, label, annotation):
        return {name: row["metadata"]["annotations"][annotation] for name, row in self.nodes.items()}

    def slice_digests(self, annotation):
        return {name: row["metadata"]["annotations"][annotation] for name, row in self.slices.items()}

    def create_node(self, manifest):
        name = manifest["metadata"]["name"]
        self._called("create", name)
        assert name not in self.nodes
        self.nodes[name] = manifest

    def replace_slice(self, manifest, node):
        self._called("slice", node)
        assert node in self.nodes
        self.slices[node] = manifest

    def remove_node(self, name):
        self._called("remove", name)
        del self.nodes[name]
        self.slices.pop(name, None)

    def _called(self, what, name):
        with self._lock:
            self.calls.append((what, name))
            if len(self.calls) == self._fail_at:
                raise ConnectionError("the server went away")


@pytest.fixture
def server():
    """A server that holds a-0, a-1 and b-0, and remembers the calls from now on."""
    made = Server()
    publish(made, nodes(("a", 2), ("b", 1)))
    made.calls.clear()
    return made


def holds_just(server, wanted):
    return server.nodes == {row.name: row.node for row in wanted} and server.slices == {
        row.name: row.slice for row in wanted
    }


def test_nodes_are_numbered_pool_by_pool():
    assert [row.name for row in nodes(("a", 2), ("b", 0), ("a-1", 1))] == ["a-0", "a-1", "a-1-0"]


def test_a_node_says_what_it_is_and_that_it_is_fake():
    (row,) = nodes(("h100", 1))
    labels, resources = row.node["metadata"]["labels"], row.node["status"]["allocatable"]
    assert row.node["metadata"]["annotations"]["kwok.x-k8s.io/node"] == "fake"
    assert labels["nvidia.com/gpu.product"] == "NVIDIA-H100-80GB-HBM3"
    assert (labels["nvidia.com/gpu.count"], labels["tessera.dev/pool"], labels["tessera.dev/lab"]) == (
        "8",
        "h100",
        "lab-a",
    )
    assert resources == {"cpu": "192", "memory": "2048Gi", "pods": "110"}


def test_labels_are_such_as_kubernetes_takes():
    (row,) = nodes(("a" * 40, 1))
    assert all(len(value) <= 63 and " " not in value for value in row.node["metadata"]["labels"].values())


def test_node_and_slice_carry_one_digest_that_is_the_same_each_time():
    first, again = nodes(("a", 2)), nodes(("a", 2))
    digests = [row.node["metadata"]["annotations"][DIGEST] for row in first]
    assert digests == [row.slice["metadata"]["annotations"][DIGEST] for row in again]
    assert len(set(digests)) == 2


def test_an_empty_server_gets_every_node_with_its_slice():
    server, wanted = Server(), nodes(("a", 20))
    assert publish(server, wanted) == Change(added=20)
    assert holds_just(server, wanted)


def test_an_unchanged_server_gets_no_request(server):
    assert publish(server, nodes(("a", 2), ("b", 1))) == Change()
    assert server.calls == []


def test_a_larger_pool_only_adds(server):
    assert publish(server, nodes(("a", 3), ("b", 1))) == Change(added=1)
    assert server.calls == [("create", "a-2"), ("slice", "a-2")]


def test_a_smaller_pool_only_removes_the_last_ones(server):
    assert publish(server, nodes(("a", 1), ("b", 1))) == Change(removed=1)
    assert server.calls == [("remove", "a-1")]


def test_a_node_of_another_board_is_removed_and_made_anew(server):
    server.nodes["a-1"]["metadata"]["annotations"][DIGEST] = "of another board"
    wanted = nodes(("a", 2), ("b", 1))
    assert publish(server, wanted) == Change(replaced=1)
    assert server.calls == [("remove", "a-1"), ("create", "a-1"), ("slice", "a-1")]
    assert holds_just(server, wanted)


@pytest.mark.parametrize("left", [pytest.param(None, id="without a slice"), pytest.param("old", id="with an old one")])
def test_a_half_published_node_gets_its_slice(server, left):
    if left:
        server.slices["b-0"] = {"metadata": {"annotations": {DIGEST: left}}}
    else:
        del server.slices["b-0"]
    wanted = nodes(("a", 2), ("b", 1))
    assert publish(server, wanted) == Change(replaced=1)
    assert server.calls == [("slice", "b-0")]
    assert holds_just(server, wanted)


@pytest.mark.parametrize("fail_at", range(1, 12))
def test_after_a_failure_at_any_request_the_next_publication_converges(fail_at):
    server, wanted = Server(), nodes(("a", 2), ("c", 3))
    publish(server, nodes(("a", 2), ("b", 2)))
    server.nodes["a-0"]["metadata"]["annotations"][DIGEST] = "of another board"
    server.calls.clear()
    server._fail_at = fail_at
    with pytest.raises(ConnectionError, match="went away"):
        publish(server, wanted)
    server._fail_at = 0
    publish(server, wanted)
    assert holds_just(server, wanted)


def test_nothing_is_begun_once_the_user_wants_an_end(server):
    publish(server, nodes(("c", 5)), lambda: True)
    assert server.calls == []
    publish(server, nodes(("c", 5)))
    assert holds_just(server, nodes(("c", 5)))


def test_the_rest_is_left_once_the_user_wants_an_end():
    server, asked, ended = Server(), threading.Event(), threading.Event()
    wanted, questions = nodes(("a", 50)), []

    def stopped():
        questions.append(1)
        if len(questions) == len(wanted):
            asked.set()
        return ended.is_set()

    def create_node(manifest):
        asked.wait(0.2)  # at most: the end comes while the first are under way
        ended.set()
        Server.create_node(server, manifest)

    server.create_node = create_node
    publish(server, wanted, stopped)
    assert len(server.nodes) < len(wanted)
