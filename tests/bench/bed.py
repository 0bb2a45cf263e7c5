"""A lab to measure on: its scheduler configured anew, pods created at a rate, and what became of them."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from lab import health, lifecycle, parts, processes
from lab.client import RESOURCE_API, Client
from lab.lifecycle import Lab
from lab.parts import SCHEDULER
from lab.record import LabSpec
from tests.waiting import wait_until
from tools.toolset import ensure

NAMESPACE = "bench"
LINES = 4
"""Requests under way at once: more only takes processor time from the scheduler that is measured."""

PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"
CLAIMS = f"{RESOURCE_API}/namespaces/{NAMESPACE}/resourceclaims"
TEMPLATES = f"{RESOURCE_API}/namespaces/{NAMESPACE}/resourceclaimtemplates"


def say(text: str) -> None:
    """Progress, on standard error."""
    print(text, file=sys.stderr, flush=True)


class Bed(Client):
    """A client of a running lab, with the requests that a measurement needs."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.kubeconfig)
        self.lab = lab
        self._numbers = count()
        self.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        accounts = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts"
        wait_until(lambda: self.items(accounts), "the service account of the namespace")

    def create(self, path: str, manifest: dict[str, Any]) -> None:
        """POST."""
        self._send("POST", path, manifest)

    def create_all(self, path: str, manifests: Iterable[dict[str, Any]]) -> None:
        """POST many, some at once."""
        with ThreadPoolExecutor(LINES) as pool:
            list(pool.map(lambda one: self.create(path, one), manifests))

    def create_at(self, path: str, manifests: Sequence[dict[str, Any]], rate: float, batch: int) -> None:
        """POST so many a second, in batches. Where the API server can't keep up, the rate is what it can."""
        began = time.monotonic()
        for at in range(0, len(manifests), batch):
            wait = began + at / rate - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            self.create_all(path, manifests[at : at + batch])

    def remove_all(self, path: str, **query: str) -> None:
        """DELETE a collection, or those of it that a query selects."""
        self._send("DELETE", path, query={"gracePeriodSeconds": "0", **query})

    def clear(self) -> None:
        """Take away all pods, then all claims, and wait until the API server has none."""
        self.remove_all(PODS)
        wait_until(lambda: not self.items(PODS, limit="1"), "the end of all pods", 300)
        self.remove_all(CLAIMS)
        wait_until(lambda: not self.items(CLAIMS, limit="1"), "the end of all claims", 300)

    def restart_scheduler(self, configuration: dict[str, Any], gates: Sequence[str] = ()) -> None:
        """Run the scheduler with another configuration, and feature gates besides (Name=false)."""
        home, ports = self.lab.home, self.lab.record.ports
        (home.conf / "scheduler.yaml").write_text(json.dumps(configuration), encoding="utf-8")
        tools = ensure(parts.NAMES, kubernetes=self.lab.record.spec.kubernetes)
        made = parts.parts(home, ports, {name: tools.path(name) for name in parts.NAMES})
        part = next(part for part in made if part.name == SCHEDULER)
        if gates:
            part = replace(part, argv=(*part.argv, f"--feature-gates={','.join(gates)}"))
        processes.stop(home, [SCHEDULER])
        started = processes.start(home, part)
        wait_until(lambda: started.poll() is not None or health.serves(home, part, 2), "the start of the scheduler")
        assert started.poll() is None, (home.logs / f"{SCHEDULER}.log").read_text(encoding="utf-8")[-2000:]


@contextmanager
def bed(spec: LabSpec) -> Iterator[Bed]:
    """A fresh lab in a state folder of its own; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="tessera-bench-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TESSERA_HOME", str(Path(folder) / "home"))
        try:
            yield Bed(lifecycle.up(spec))
        finally:
            lifecycle.down(spec.name)
