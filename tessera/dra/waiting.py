"""Waiting: what the scheduler said of a pod, in words, and what stands behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tessera.dra.stock import Object

NO_DEVICE = "cannot allocate all claims"
"""What the scheduler says of a node on which the claims of a pod find no devices."""

_NODES = re.compile(
    r"0/(\d+) nodes are available: (.*?)\.?(?:\s(?:still not schedulable|no new claims|preemption: ).*)?"
)
_COUNTED = re.compile(r"(\d+) (.+)")
_CLASS_MISSING = re.compile(r"request (\S+): device class (\S+) does not exist")
_CLAIM_MISSING = re.compile(r'(?:resourceclaim|waiting for dynamic resource controller.*?) "?([\w./-]+)"? not found')
_NOT_MADE = "waiting for dynamic resource controller to create the resourceclaim"
_CEL = re.compile(r"(?:class (\S+): |request \S+: )?selector #\d+: CEL runtime error: (.*)", re.DOTALL)
_WORDS = (
    (re.compile(r"Insufficient (.+)"), "too little {0}"),
    (re.compile(r"node\(s\) didn't match Pod's node affinity/selector"), "not where the pod's node selector points"),
    (re.compile(r"node\(s\) had untolerated taint(?:\(s\))? ?\{?([^:}]*).*"), "taint {0} not tolerated"),
    (re.compile(r"node\(s\) had untolerated taint\(s\)"), "a taint not tolerated"),
    (re.compile(r"node\(s\) were unschedulable"), "cordoned"),
    (re.compile(r"Too many pods"), "no room for more pods"),
)


@dataclass(frozen=True)
class Finding:
    """Why something waits. reason: a kind, few words; why: a sentence."""

    reason: str
    why: str


UNSEEN = Finding("not scheduled yet", "not looked at by the scheduler yet")
NOT_MADE = Finding("claim not made yet", "the claim is not made yet")


@dataclass(frozen=True)
class Said:
    """What the scheduler said of a pod.

    finding: in words, None where it says nothing but that no devices are found. nodes: count of nodes
    on which no devices are found. cel: the error of a selector. missing: a class that does not exist.
    """

    finding: Finding | None = None
    nodes: int = 0
    cel: str = ""
    missing: str = ""

    @property
    def about_devices(self) -> bool:
        """Whether the reason is to be looked for among the devices."""
        return bool(self.nodes or self.cel)


def said(pod: Object) -> Said:
    """What the scheduler said of a pod that has no node."""
    rows = pod.get("status", {}).get("conditions", [])
    condition = next((row for row in rows if row["type"] == "PodScheduled"), None)
    if condition is None:
        return Said(UNSEEN)
    if condition.get("reason") == "SchedulingGated":
        gates = ", ".join(row["name"] for row in pod["spec"].get("schedulingGates", []))
        return Said(Finding("scheduling gate", f"held by the scheduling gate {gates}" if gates else "scheduling gate"))
    return read(condition.get("message", ""))


def read(message: str) -> Said:
    """What a message of the scheduler says; one in another form is shown as it is."""
    if match := _CLASS_MISSING.search(message):
        name = match[2]
        return Said(Finding("no such class", f"class {name} does not exist (request {match[1]})"), missing=name)
    if match := _CEL.search(message):
        name = f"class {match[1]}: " if match[1] else ""
        return Said(Finding("selector error", f"{name}CEL error: {match[2]}"), cel=match[2])
    if _NOT_MADE in message:
        return Said(NOT_MADE)
    if match := _CLAIM_MISSING.search(message):
        return Said(Finding("no such claim", f"claim {match[1]} does not exist"))
    match = _NODES.fullmatch(message)
    return _of_nodes(match[2]) if match else Said(Finding("scheduler", message) if message else UNSEEN)


def _of_nodes(text: str) -> Said:
    counted = [(int(row[1]), row[2]) if (row := _COUNTED.fullmatch(part)) else (0, part) for part in text.split(", ")]
    nodes = sum(count for count, what in counted if what == NO_DEVICE)
    others = [_worded(count, what) for count, what in counted if what != NO_DEVICE]
    return Said(Finding("node", ", ".join(others)) if others else None, nodes)


def _worded(count: int, what: str) -> str:
    found = ((form.fullmatch(what), words) for form, words in _WORDS)
    text = next((words.format(*match.groups()) for match, words in found if match), what)
    return f"{count} {'node' if count == 1 else 'nodes'}: {text}" if count else text
