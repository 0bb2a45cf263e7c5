"""`tessera claims` with 2,000 real claims."""

import json

import pytest

from lab import lifecycle
from tests.lab.claiming import apply, deployment, shown, started, template, tessera, told
from tests.waiting import wait_until

pytestmark = [pytest.mark.lab, pytest.mark.full]


@pytest.fixture(scope="module")
def lab(module_state):
    yield started()
    lifecycle.down("lab")


def test_two_thousand_claims_are_read_at_a_glance(lab):
    names = [f"{name}-language-model-server" for name in ("chat", "embedding", "rerank", "speech", "vision")]
    work = [deployment("free", name, "gpu", 380) for name in names]
    apply(lab, template("free", "gpu"), template("free", "huge"), template("ai", "gpu"))
    apply(lab, *work, deployment("free", "too-large", "huge", 96), deployment("ai", "beyond", "gpu", 30))

    def counted():
        found = json.loads(tessera("--summary", "--json"))
        told = {(row["reason"], row["count"]) for row in found["reasons"]}
        return found["claims"] == 2000 and {("all taken", 1896), ("no device matches", 96), ("quota", 26)} <= told

    wait_until(counted, "2,000 claims, and a look of the scheduler at each", 300)
    for columns in (80, 120, 200):
        lines = shown(columns=columns)
        assert lines[0] == "2000 claims, 8 devices: 8 in use, 1992 waiting, 26 refused"
        assert len(lines) < 45
        assert max(map(len, lines)) <= columns
    assert len(told()) == 2026
