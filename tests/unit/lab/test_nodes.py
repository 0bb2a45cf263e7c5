"""Simulated nodes, and bringing an API server to hold just these."""

import re
import threading

import pytest

from lab.nodes import DIGEST, Change, publish, simulate
from lab.record import LabSpec, NodePool


def nodes(*pools, **settings):
    made = tuple(NodePool(name, "hgx-h100", size, **settings) for name, size in pools)
    return simulate(LabSpec("lab-a", "1.36", made))


def of_board(board, size=1, **settings):
    return simulate(LabSpec("lab-a", "1.36", (NodePool("p", board, size, **settings),)))


class Server:
    """What lab.client.Client does, on two dictionaries. fail_at: the request that fails, counted from 1."""

    def __init__(self, fail_at=0):
        self.nodes, self.slices, self.calls = {}, {}, []
        self._fail_at, self._lock = fail_at, threading.Lock()

    def node_digests(self, label, annotation):
        return {name: row["metadata"]["annotations"][annotation] for name, row in self.nodes.items()}

    def slice_digests(self, annotation):
        found = {}
        for name, row in self.slices.items():
            node = row["spec"]["nodeName"]
            found.setdefault(node, {})[name] = row["metadata"]["annotations"][annotation]
        return found

    def create_node(self, manifest):
        name = manifest["metadata"]["name"]
        self._called("create", name)
        assert name not in self.nodes
        self.nodes[name] = manifest
        return f"uid of {name}"

    def node_uid(self, name):
        assert name in self.nodes
        return f"uid of {name}"

    def create_slice(self, manifest, node, uid):
        name = manifest["metadata"]["name"]
        self._called("slice", name)
        assert node in self.nodes
        assert uid == f"uid of {node}"
        self.slices[name] = manifest

    def delete_slice(self, name):
        self._called("drop", name)
        self.slices.pop(name, None)

    def remove_node(self, name):
        self._called("remove", name)
        del self.nodes[name]
        self.slices = {key: row for key, row in self.slices.items() if row["spec"]["nodeName"] != name}

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
    slices = {one["metadata"]["name"]: one for row in wanted for one in row.slices}
    return server.nodes == {row.name: row.node for row in wanted} and server.slices == slices


def both_slices(node):
    return [("slice", f"{node}-gpu.nvidia.com"), ("slice", f"{node}-dra.net")]


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


def test_node_and_slices_carry_one_digest_that_is_the_same_each_time():
    first, again = nodes(("a", 2), sharing="dynamic-mig"), nodes(("a", 2), sharing="dynamic-mig")
    digests = [row.node["metadata"]["annotations"][DIGEST] for row in first]
    for digest, row in zip(digests, again, strict=True):
        assert len(row.slices) == 10
        assert {one["metadata"]["annotations"][DIGEST] for one in row.slices} == {digest}
    assert len(set(digests)) == 2


@pytest.mark.parametrize(
    ("board", "settings", "counted"),
    [
        pytest.param("hgx-h100", {}, {}, id="claims of whole GPUs"),
        pytest.param("hgx-h100", {"sharing": "dynamic-mig"}, {}, id="claims of MIG devices"),
        pytest.param("pcie-l40s", {"sharing": "none"}, {"nvidia.com/gpu": "8"}, id="whole GPUs"),
        pytest.param("pcie-l40s", {"sharing": "time-slicing", "replicas": 4}, {"nvidia.com/gpu": "32"}, id="turns"),
        pytest.param("gb200-nvl72-tray", {"sharing": "mps", "replicas": 2}, {"nvidia.com/gpu": "8"}, id="mps"),
        pytest.param(
            "pcie-rtx-pro-6000",
            {"sharing": "mig", "profiles": {"2g.48gb": 1, "1g.24gb+gfx": 2}},
            {"nvidia.com/mig-2g.48gb": "8", "nvidia.com/mig-1g.24gb.gfx": "16"},
            id="static MIG",
        ),
    ],
)
def test_a_node_counts_gpus_only_where_the_device_plugin_hands_them_out(board, settings, counted):
    (row,) = of_board(board, **settings)
    status, published = row.node["status"], [one["spec"]["driver"] for one in row.slices]
    assert status["capacity"] == status["allocatable"]
    assert {name: count for name, count in status["capacity"].items() if "/" in name} == counted
    assert ("gpu.nvidia.com" in published) == (not counted)


def test_trays_of_one_nvlink_domain_have_one_clique():
    found = [row.node["metadata"]["labels"]["nvidia.com/gpu.clique"] for row in of_board("gb200-nvl72-tray", 40)]
    assert [found.count(one) for one in dict.fromkeys(found)] == [18, 18, 4]
    assert all(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\d+", one) for one in found)
    (alone,) = of_board("hgx-h100")
    assert "nvidia.com/gpu.clique" not in alone.node["metadata"]["labels"]


@pytest.mark.parametrize(
    ("board", "settings", "labels"),
    [
        pytest.param("hgx-h100", {}, {"mig.capable": "true"}, id="MIG"),
        pytest.param("pcie-l40s", {}, {"mig.capable": "false"}, id="no MIG"),
        pytest.param(
            "hgx-h100", {"sharing": "mig", "profiles": {"1g.10gb": 7}}, {"mig.strategy": "mixed"}, id="static MIG"
        ),
        pytest.param(
            "pcie-l40s",
            {"sharing": "time-slicing", "replicas": 4},
            {"gpu.product": "NVIDIA-L40S-SHARED", "gpu.sharing-strategy": "time-slicing", "gpu.replicas": "4"},
            id="turns",
        ),
    ],
)
def test_a_node_is_labelled_as_feature_discovery_labels_it(board, settings, labels):
    (row,) = of_board(board, **settings)
    assert {f"nvidia.com/{name}": value for name, value in labels.items()}.items() <= row.node["metadata"][
        "labels"
    ].items()


def test_an_empty_server_gets_every_node_with_its_slice():
    server, wanted = Server(), nodes(("a", 20))
    assert publish(server, wanted) == Change(added=20)
    assert holds_just(server, wanted)


def test_an_unchanged_server_gets_no_request(server):
    assert publish(server, nodes(("a", 2), ("b", 1))) == Change()
    assert server.calls == []


def test_a_larger_pool_only_adds(server):
    assert publish(server, nodes(("a", 3), ("b", 1))) == Change(added=1)
    assert server.calls == [("create", "a-2"), *both_slices("a-2")]


def test_a_smaller_pool_only_removes_the_last_ones(server):
    assert publish(server, nodes(("a", 1), ("b", 1))) == Change(removed=1)
    assert server.calls == [("remove", "a-1")]


def test_a_node_of_another_board_is_removed_and_made_anew(server):
    server.nodes["a-1"]["metadata"]["annotations"][DIGEST] = "of another board"
    wanted = nodes(("a", 2), ("b", 1))
    assert publish(server, wanted) == Change(replaced=1)
    assert server.calls == [("remove", "a-1"), ("create", "a-1"), *both_slices("a-1")]
    assert holds_just(server, wanted)


@pytest.mark.parametrize("left", [pytest.param(None, id="without a slice"), pytest.param("old", id="with an old one")])
def test_a_half_published_node_gets_just_the_slice_that_is_not_right(server, left):
    name = "b-0-dra.net"
    if left:
        server.slices[name] = {"metadata": {"annotations": {DIGEST: left}}, "spec": {"nodeName": "b-0"}}
    else:
        del server.slices[name]
    wanted = nodes(("a", 2), ("b", 1))
    assert publish(server, wanted) == Change(replaced=1)
    assert server.calls == [("drop", name)] * bool(left) + [("slice", name)]
    assert holds_just(server, wanted)


@pytest.mark.parametrize("first", ["dra", "dynamic-mig", "none"])
@pytest.mark.parametrize("then", ["dra", "dynamic-mig", "none"])
def test_another_sharing_leaves_exactly_the_slices_of_it(first, then):
    server = Server()
    publish(server, nodes(("a", 2), sharing=first))
    wanted = nodes(("a", 2), sharing=then)
    assert publish(server, wanted) == Change(replaced=0 if first == then else 2)
    assert holds_just(server, wanted)


def test_a_slice_that_no_longer_belongs_to_a_node_goes(server):
    left = {"metadata": {"annotations": {DIGEST: "old"}}, "spec": {"nodeName": "b-0"}}
    server.slices["b-0-gpu.nvidia.com-3"] = left
    wanted = nodes(("a", 2), ("b", 1))
    assert publish(server, wanted) == Change(replaced=1)
    assert holds_just(server, wanted)


@pytest.mark.parametrize("fail_at", range(1, 15))
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
        return Server.create_node(server, manifest)

    server.create_node = create_node
    publish(server, wanted, stopped)
    assert len(server.nodes) < len(wanted)
