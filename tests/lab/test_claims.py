"""`tessera claims` on a real lab: what is placed, what waits and why, what a quota refused, and the watch."""

import json
import os
import pty
import signal
import subprocess
from contextlib import contextmanager

import pytest

from lab import lifecycle
from tests.lab.claiming import TESSERA, apply, named, pod, pods, started, tessera, told
from tests.lab.kubectl import kubectl
from tests.waiting import wait_until

pytestmark = pytest.mark.lab


@pytest.fixture(scope="module")
def lab(module_state):
    yield started()
    lifecycle.down("lab")


@pytest.fixture(autouse=True)
def empty(lab):
    """Each test begins with all devices free."""
    yield
    for name in ("ai", "free"):
        kubectl(lab.home, "delete", "pods,resourceclaims,resourceclaimtemplates", "--all", "-n", name, "--wait=true")


def states(*words):
    return sorted(row["state"] for row in told(*words))


def test_what_a_quota_refused_is_told_with_class_and_numbers(lab):
    pods(lab, "ai", *(f"p{number}" for number in range(5)))
    wait_until(lambda: states() == ["in use"] * 4 + ["refused"], "four placed and one refused")
    (row,) = [row for row in told() if row["state"] == "refused"]
    assert row["why"] == "quota of ai: gpu asked 1, used 4 of 4"
    assert "quota of ai: gpu asked 1, used 4 of 4" in tessera("--waiting")


def test_what_waits_is_told_with_who_has_the_devices(lab):
    pods(lab, "free", *(f"p{number}" for number in range(9)))
    wait_until(lambda: states() == ["in use"] * 8 + ["waiting"], "eight placed")

    def why():
        return [row["why"] for row in told("--waiting")]

    wait_until(lambda: why() == ["all 8 devices that match are taken: 8 by gpu of free"], "the reason")


def test_what_nothing_can_satisfy_is_told_with_the_nearest_miss(lab):
    pods(lab, "free", "p", device_class="huge")
    nearest = "no device matches; nearest NVIDIA H100 80GB HBM3: memory 81559Mi >= 100G does not hold"
    wait_until(lambda: [row["why"] for row in told()] == [nearest], "the nearest miss")


def test_a_shared_claim_is_one_row_with_both_pods(lab):
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu"}}
    claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", **named("cache", "free")}
    apply(lab, {**claim, "spec": {"devices": {"requests": [request]}}})
    apply(lab, pod("free", "a", None, "cache"), pod("free", "b", None, "cache"))
    wait_until(lambda: [sorted(row["pods"]) for row in told()] == [["a", "b"]], "two pods of one claim")


def test_one_namespace_is_read_alone(lab):
    pods(lab, "free", "p")
    pods(lab, "ai", "q")
    wait_until(lambda: states() == ["in use", "in use"], "both placed")
    assert [row["pods"] for row in told("--namespace", "ai")] == [["q"]]


@contextmanager
def watching(*words, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    with subprocess.Popen([*TESSERA, "claims", "--watch", *words], **options) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_watch_into_a_pipe_tells_each_change_as_a_line(lab):
    with watching("--json") as process:
        assert process.stderr.readline() == "watching lab lab: 0 claims\n"
        pods(lab, "free", "p")
        row = json.loads(process.stdout.readline())
        while row["new"] != "in use":
            row = json.loads(process.stdout.readline())
        assert (row["pod"], row["devices"][0]["node"]) == ("p", "h100-0")
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_a_watch_goes_on_when_the_api_server_was_away(lab):
    with watching("--json") as process:
        process.stderr.readline()
        subprocess.run(["pkill", "-9", "-f", f"kube-apiserver.*{lab.home.root}"], check=True)
        assert "connection lost" in process.stderr.readline()
        lifecycle.up(lab.record.spec)
        pods(lab, "free", "late")
        row = json.loads(process.stdout.readline())
        assert row["pods"] == ["late"]


def test_a_watch_on_a_terminal_ends_in_order(lab):
    pods(lab, "free", "p")
    outside, inside = pty.openpty()
    seen = b""
    with watching(stdout=inside, stderr=inside, env={**os.environ, "TERM": "xterm", "COLUMNS": "120"}) as process:
        os.close(inside)
        while b"h100-0" not in seen:
            seen += os.read(outside, 65536)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        seen += os.read(outside, 65536)
    os.close(outside)
    assert b"Traceback" not in seen
    assert seen.rstrip().endswith(b"\x1b[?25h"), "the cursor is shown again"
