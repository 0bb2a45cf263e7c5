"""Start, change, repair and stop a lab.

`up` converges: it makes what is missing, starts what is not running, leaves the rest alone, and may be
stopped at any point; the next `up` goes on from there.
"""

from __future__ import annotations

import subprocess
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from lab import health, parts, pki, ports, processes
from lab.client import Client, manifests
from lab.home import LabHome, lab_home
from lab.labels import POOL_LABEL
from lab.nodes import Change, publish, simulate
from lab.parts import API, CONTROLLERS, ETCD, KWOK, SCHEDULER, Part
from lab.record import PORTS, LabRecord, LabSpec, load
from tessera.errors import TesseraError
from tools.errors import ToolError
from tools.progress import Report
from tools.toolset import Toolset, ensure

START_S = 60.0
"""How long a part may take to serve before it counts as failed; 2 s is usual."""

GRACE_S = 5.0
"""What a part that runs but does not answer is given before it is started anew."""

SETTLE_S = 60.0
_POLL_S = 0.05
_TAIL = 5


class LabError(TesseraError):
    """A lab that could not be brought up; what was made stays, and the next `up` goes on."""


@dataclass(frozen=True)
class Lab:
    """A lab that is up. seconds: how long it took; started: parts that this call started."""

    home: LabHome
    record: LabRecord
    seconds: float
    started: tuple[str, ...]
    nodes: Change

    @property
    def kubeconfig(self) -> str:
        """The user's kubeconfig; it holds a key."""
        return self.home.kubeconfig.read_text(encoding="utf-8")


@dataclass
class Control:
    """How a caller follows a long change and ends it.

    report gets one line of progress at a time; building, where given, the steps of building binaries,
    which are otherwise shown on standard error.
    """

    report: Callable[[str], None] = lambda _: None
    cancelled: Callable[[], bool] = field(default=lambda: False)
    building: Report | None = None

    def check(self) -> None:
        """Raises LabError where the caller wants an end."""
        if self.cancelled():
            raise LabError("cancelled; what was started stays, and the next `up` goes on")


def up(spec: LabSpec, control: Control | None = None) -> Lab:
    """Bring a lab to what spec says. Raises LabError, or TesseraError for a wrong spec."""
    control = control or Control()
    began = time.monotonic()
    home = lab_home(spec.name)
    toolset = _binaries(spec, control)
    with home.locked():
        record = _record(home, spec, control)
        wanted = parts.parts(home, record.ports, {name: toolset.path(name) for name in parts.NAMES})
        started = _start(home, wanted, control)
        change = _populate(home, spec, control)
    return Lab(home, record, time.monotonic() - began, started, change)


def _binaries(spec: LabSpec, control: Control) -> Toolset:
    try:
        return ensure(parts.NAMES, kubernetes=spec.kubernetes, report=control.building)
    except ToolError as error:
        raise LabError(str(error)) from error


def down(name: str) -> bool:
    """Stop every process of a lab and remove its folder. Whether there was anything to remove."""
    home = lab_home(name)
    with home.locked():
        there = home.root.exists() or bool(processes.find(home))
        processes.stop(home)
        home.remove()
    return there


def _record(home: LabHome, spec: LabSpec, control: Control) -> LabRecord:
    if home.exists():
        old = load(home)
        if old.spec.kubernetes != spec.kubernetes:
            raise LabError(
                f"lab {spec.name!r} runs Kubernetes {old.spec.kubernetes}, and its data can't be taken to "
                f"{spec.kubernetes} here; `tessera lab down {spec.name}` first, or give the new lab another name"
            )
        record = replace(old, spec=spec)
    else:
        control.report(f"making lab {spec.name}")
        processes.stop(home)  # left from a lab whose folder was removed under it
        home.remove()
        record = LabRecord(spec, uuid.uuid4().hex[:12], ports.choose(PORTS))
    home.make()
    record = _free_ports(home, record, control)
    if pki.make(home.pki):
        processes.stop(home)
    if stale := parts.configure(home, record.ports, spec.scheduler):
        control.report(f"{', '.join(stale)} gets another configuration, and starts anew")
        processes.stop(home, stale)
    record.save(home)
    return record


def _free_ports(home: LabHome, record: LabRecord, control: Control) -> LabRecord:
    """The record with new ports for those that another program took meanwhile."""
    running = processes.find(home)
    owner = {name: ETCD if name == "etcd-peer" else name for name in record.ports}
    idle = [name for name in record.ports if owner[name] not in running]
    taken = [name for name in idle if not ports.is_free(record.ports[name], patience_s=1)]
    if not taken:
        return record
    fresh = ports.choose(taken)
    for name in taken:
        control.report(f"port {record.ports[name]} of {name} is taken by another program; using {fresh[name]}")
    # Whoever was told the old port on its command line or in its kubeconfig must start anew.
    processes.stop(home, parts.NAMES if {ETCD, API, "etcd-peer"} & set(taken) else [owner[name] for name in taken])
    return replace(record, ports={**record.ports, **fresh})


def _start(home: LabHome, wanted: Iterable[Part], control: Control) -> tuple[str, ...]:
    by_name = {part.name: part for part in wanted}
    started: list[str] = []
    for stage in ((ETCD,), (API,), (SCHEDULER, CONTROLLERS, KWOK)):
        started += _start_stage(home, [by_name[name] for name in stage], control)
        if stage == (API,):
            _bootstrap(home, control)
    return tuple(started)


def _start_stage(home: LabHome, stage: list[Part], control: Control) -> list[str]:
    control.check()
    running = processes.find(home)
    serving = health.probe(home, tuple(part for part in stage if part.name in running))
    due = [part for part in stage if not serving.get(part.name)]
    fresh: dict[str, subprocess.Popen[bytes]] = {}
    for part in due:
        if part.name in running:  # hung, or only just starting: give it a moment before it is replaced
            if _await(home, part, control, GRACE_S, lambda: False):
                continue
            processes.stop(home, [part.name])
        control.report(f"starting {part.name}")
        fresh[part.name] = processes.start(home, part)
    for part in due:
        process = fresh.get(part.name)
        if process and not _await(home, part, control, START_S, partial(_has_ended, process)):
            raise LabError(_failure(home, part, ended=_has_ended(process)))
    return [part.name for part in due]


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    return process.poll() is not None


def _await(home: LabHome, part: Part, control: Control, patience_s: float, ended: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline and not ended():
        control.check()
        if health.serves(home, part, timeout_s=2):
            return True
        time.sleep(_POLL_S)
    return False


def _failure(home: LabHome, part: Part, *, ended: bool) -> str:
    log = home.logs / f"{part.name}.log"
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_TAIL:] if log.exists() else []
    state = "ended at once" if ended else f"did not answer in {START_S:.0f} s"
    told = "".join(f"\n  {line[:300]}" for line in lines)
    return f"lab {home.name!r}: {part.name} {state}; the end of {log}:{told}"


def _bootstrap(home: LabHome, control: Control) -> None:
    control.check()
    client = Client.of(home)
    for manifest in manifests((parts.MANIFESTS / "bootstrap.yaml").read_text(encoding="utf-8")):
        client.apply(manifest)


def _populate(home: LabHome, spec: LabSpec, control: Control) -> Change:
    client, wanted = Client.of(home), simulate(spec)
    control.check()
    control.report(f"publishing nodes: {len(wanted)}")
    change = publish(client, wanted, control.cancelled)
    control.check()
    _settle(client, len(wanted), control)
    return change


def _settle(client: Client, count: int, control: Control) -> None:
    deadline = time.monotonic() + SETTLE_S + count * 0.1
    ready = -1
    while time.monotonic() < deadline:
        control.check()
        nodes = client.items("/api/v1/nodes", labelSelector=POOL_LABEL)
        fresh = sum(1 for node in nodes if _is_ready(node))
        if fresh == count == len(nodes):
            control.report(f"nodes ready: all {count}")
            return
        if fresh != ready:
            control.report(f"nodes ready: {fresh} of {count}")
            ready = fresh
        time.sleep(_POLL_S * 2)
    raise LabError(f"only {max(ready, 0)} of {count} nodes became ready; see the log of kwok")


def _is_ready(node: dict[str, Any]) -> bool:
    rows = node.get("status", {}).get("conditions", [])
    ready = any(row["type"] == "Ready" and row["status"] == "True" for row in rows)
    return ready and not node["spec"].get("taints")
