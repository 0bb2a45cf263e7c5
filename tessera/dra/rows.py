"""Rows: what is told of one claim, or of a pod whose claim was never made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

State = Literal["refused", "waiting", "idle", "deleting", "unused", "in use"]
STATES: tuple[State, ...] = ("refused", "waiting", "idle", "deleting", "unused", "in use")
"""What needs a look first: refused by a quota; waiting for devices; idle: allocated, and no pod uses it;
deleting; unused: nothing allocated, and no pod asks; in use."""

WAITING: tuple[State, ...] = ("refused", "waiting")
UNKNOWN = "unknown"
"""What this reader may not see."""


@dataclass(frozen=True)
class Device:
    """One allocated device. request: as the claim names it, request/alternative where there was a choice;
    device_class: of that request; profile and parent: of a MIG device; admin: seen, not held."""

    request: str
    driver: str
    pool: str
    device: str
    device_class: str = ""
    node: str = ""
    product: str = ""
    profile: str = ""
    parent: str = ""
    admin: bool = False

    def as_json(self) -> dict[str, Any]:
        """Every field, for programs."""
        fields = asdict(self)
        return {"class": fields.pop("device_class"), **fields}


@dataclass(frozen=True)
class Row:
    """One claim with its devices, or what waits.

    key: the same for a pod's refused claim and the claim that it gets later. workload: what made the pod, for
    grouping. reason: a short kind of why. pods_missing: count of pods that a controller could not create.
    """

    key: str
    namespace: str
    claim: str
    pods: tuple[str, ...]
    workload: str
    device_class: str
    state: State
    reason: str
    why: str
    devices: tuple[Device, ...] = ()
    node: str = ""
    pods_missing: int = 0

    @property
    def waits(self) -> bool:
        """Whether something waits for devices here."""
        return self.state in WAITING

    @property
    def held(self) -> int:
        """Count of devices that nobody else can have."""
        return sum(not device.admin for device in self.devices)

    def as_json(self) -> dict[str, Any]:
        """Every field, for programs."""
        return {
            "namespace": self.namespace,
            "claim": self.claim,
            "pod": ", ".join(self.pods),
            "pods": list(self.pods),
            "workload": self.workload,
            "node": self.node,
            "device": ", ".join(device.device for device in self.devices),
            "devices": [device.as_json() for device in self.devices],
            "product": ", ".join(dict.fromkeys(device.product for device in self.devices if device.product)),
            "class": self.device_class,
            "state": self.state,
            "reason": self.reason,
            "why": self.why,
            "pods_missing": self.pods_missing,
        }


@dataclass(frozen=True)
class Filter:
    """Which rows to show; what is None or False hides nothing."""

    namespace: str | None = None
    device_class: str | None = None
    node: str | None = None
    pod: str | None = None
    waiting: bool = False

    def keeps(self, row: Row) -> bool:
        """Whether a row is to be shown. pod: a pod's name, or NAMESPACE/NAME."""
        return (
            self.namespace in (None, row.namespace)
            and (self.device_class is None or self.device_class in row.device_class.split(", "))
            and (self.node is None or self.node in row.node.split(", "))
            and (self.pod is None or self.pod in {*row.pods, *(f"{row.namespace}/{pod}" for pod in row.pods)})
            and (row.waits or not self.waiting)
        )


@dataclass(frozen=True)
class Change:
    """A row that is another than before; None: it was not there, or is no more."""

    before: Row | None
    after: Row | None

    @property
    def row(self) -> Row:
        """The row as it is, or as it last was."""
        found = self.after or self.before
        assert found is not None  # noqa: S101 - one of the two is always there
        return found


def changes(before: Iterable[Row], after: Iterable[Row]) -> list[Change]:
    """What a watcher is told: rows that came or went, or changed their state, reason or devices."""
    old, new = _by_key(before), _by_key(after)
    keys = dict.fromkeys([*old, *new])
    found = (Change(old.get(key), new.get(key)) for key in keys)
    return [change for change in found if _told(change.before) != _told(change.after)]


def _by_key(rows: Iterable[Row]) -> Mapping[str, Row]:
    return {row.key: row for row in rows}


def _told(row: Row | None) -> tuple[object, ...]:
    return () if row is None else (row.state, row.reason, row.pods, row.devices)
