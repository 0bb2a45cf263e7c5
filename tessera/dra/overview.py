"""Overview: thousands of rows as a few: by class, by reason, and equal rows together."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tessera.dra.rows import STATES, Device, Row, State

_NUMBERED = re.compile(r"(.*?)(\d+)")


@dataclass(frozen=True)
class ClassTotal:
    """Counts of one class: claims that name it, devices held through it, and rows by state."""

    device_class: str
    claims: int
    devices: int
    states: dict[State, int]


@dataclass(frozen=True)
class ReasonTotal:
    """How many wait for one and the same reason. namespaces: where, sorted."""

    count: int
    state: State
    device_class: str
    reason: str
    why: str
    namespaces: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Rows of one workload that read the same. count: claims, or pods where no claim was made."""

    rows: tuple[Row, ...]

    @property
    def count(self) -> int:
        """Claims, or pods without one."""
        return sum(size(row) for row in self.rows)

    @property
    def pod(self) -> str:
        """NAMESPACE/POD, or NAMESPACE/WORKLOAD x COUNT."""
        first = self.rows[0]
        if self.count > 1:
            return f"{first.namespace}/{first.workload} x {self.count}"
        return f"{first.namespace}/{', '.join(first.pods) or _podless(first)}"

    @property
    def node(self) -> str:
        """The node, or how many."""
        nodes = dict.fromkeys(node for row in self.rows for node in row.node.split(", ") if node)
        return ", ".join(nodes) if len(nodes) < 2 else f"{len(nodes)} nodes"

    @property
    def devices(self) -> str:
        """The devices of one claim by name; of several, by product or profile with their count."""
        if len(self.rows) == 1:
            return named(self.rows[0].devices)
        kinds = Counter(
            device.profile or device.product or device.driver for row in self.rows for device in row.devices
        )
        return ", ".join(f"{count} x {kind}" for kind, count in kinds.items())


def by_class(rows: Iterable[Row]) -> list[ClassTotal]:
    """Totals by class, by name; a claim that names several counts in each. Not known: an empty name, last."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        for name in row.device_class.split(", "):
            found[name].append(row)
    return [_total(name, found[name]) for name in sorted(found, key=lambda name: (not name, name))]


def by_reason(rows: Iterable[Row]) -> list[ReasonTotal]:
    """What waits, by reason; the most frequent first."""
    found: dict[tuple[State, str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if row.waits:
            found[row.state, row.device_class, row.reason, row.why].append(row)
    totals = [
        ReasonTotal(sum(map(size, same)), *key, tuple(sorted({row.namespace for row in same})))
        for key, same in found.items()
    ]
    return sorted(totals, key=lambda total: (-total.count, total.device_class, total.why))


def states(rows: Iterable[Row]) -> dict[State, int]:
    """Count of rows of each state that there is."""
    counts = Counter[State]()
    for row in rows:
        counts[row.state] += size(row)
    return {state: counts[state] for state in STATES if counts[state]}


def grouped(rows: Iterable[Row]) -> list[Group]:
    """Rows of one workload, state, class and reason as one; what needs a look first, then by namespace and pod."""
    found: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[row.namespace, row.workload, row.state, row.device_class, row.reason, row.why].append(row)
    return _in_order(Group(tuple(same)) for same in found.values())


def single(rows: Iterable[Row]) -> list[Group]:
    """Each row for itself, in the order of grouped()."""
    return _in_order(Group((row,)) for row in rows)


def named(devices: Sequence[Device]) -> str:
    """Names of devices: gpu-0..7; MIG devices as 4 x 1g.24gb of gpu-0; alternatives as gpu-3 (gpu/large)."""
    found: dict[str, list[Device]] = defaultdict(list)
    for device in devices:
        found[_note(device)].append(device)
    return ", ".join(_listed(same) + note for note, same in found.items())


def compressed(names: Iterable[str]) -> str:
    """gpu-0, gpu-1, gpu-2 and nic-0 as gpu-0..2, nic-0; in order of prefix and number, each once."""
    numbers: dict[str, set[int]] = defaultdict(set)
    plain = []
    for name in dict.fromkeys(names):
        match = _NUMBERED.fullmatch(name)
        if match and match[2] == str(int(match[2])):
            numbers[match[1]].add(int(match[2]))
        else:
            plain.append(name)
    runs = [f"{prefix}{run}" for prefix in sorted(numbers) for run in _runs(sorted(numbers[prefix]))]
    return ", ".join(runs + sorted(plain))


def size(row: Row) -> int:
    """How many claims or pods a row stands for."""
    return row.pods_missing or 1


def _total(name: str, rows: Sequence[Row]) -> ClassTotal:
    claims = len({(row.namespace, row.claim) for row in rows if row.claim})
    devices = sum(not device.admin for row in rows for device in row.devices if device.device_class == name)
    return ClassTotal(name, claims, devices, states(rows))


def _in_order(groups: Iterable[Group]) -> list[Group]:
    def place(group: Group) -> tuple[object, ...]:
        first = group.rows[0]
        return STATES.index(first.state), first.namespace, first.workload, first.pods, first.claim

    return sorted(groups, key=place)


def _podless(row: Row) -> str:
    return f"(claim {row.claim})" if row.claim else row.workload


def _note(device: Device) -> str:
    notes = [device.request] if "/" in device.request else []
    notes += ["admin"] if device.admin else []
    return f" ({', '.join(notes)})" if notes else ""


def _listed(devices: Sequence[Device]) -> str:
    cut = Counter((device.profile, device.parent) for device in devices if device.profile)
    parts = [
        f"{count} x {profile} of {parent}" if count > 1 else f"{profile} of {parent}"
        for (profile, parent), count in cut.items()
    ]
    whole = compressed(device.device for device in devices if not device.profile)
    return ", ".join([*([whole] if whole else []), *parts])


def _runs(numbers: Sequence[int]) -> list[str]:
    """Runs of numbers that follow each other: 0..3, 5."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [f"{low}" if low == high else f"{low}..{high}" for low, high in runs]
