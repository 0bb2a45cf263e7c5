"""Stock: the devices that slices publish, which of them are taken, and by whom."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property
from typing import Any

from tessera.dra import quantity

Object = Mapping[str, Any]
"""A Kubernetes object as JSON."""

Place = tuple[str, str, str]
"""Driver, pool and name of a device."""

IDENTITIES = frozenset((
    "uuid", "parentUUID", "pciBusID", "pciBusId", "pciAddress", "pcieRoot", "numaNode", "index", "minor", "parentIndex",
    "parentMinor", "placementStart", "serial", "gpuModuleID", "gpuModuleId", "ifName", "mac", "ipv4", "rdmaDevice",
))  # fmt: skip
"""Attributes that tell equal devices apart: a selector that names none of them says the same of each."""


@dataclass(frozen=True, eq=False)
class Published:
    """One device of a slice. kind: the same text for devices that differ in their identity alone."""

    place: Place
    node: str
    device: Object

    @cached_property
    def kind(self) -> str:
        """What the device is, without which one it is."""
        kept = {key: value for key, value in self.attributes.items() if key.rpartition("/")[2] not in IDENTITIES}
        return json.dumps([self.place[0], kept, self.device.get("capacity")], sort_keys=True)

    @property
    def attributes(self) -> Object:
        """Its attributes, as the slice has them."""
        found: Object = self.device.get("attributes", {})
        return found

    def text(self, name: str) -> str:
        """A string attribute of the driver's own, or nothing."""
        return str(self.attributes.get(name, {}).get("string", ""))


@dataclass(frozen=True)
class Holder:
    """Who holds a device."""

    device_class: str
    namespace: str


class Stock:
    """All devices of all slices; only a pool's latest generation counts."""

    def __init__(self, slices: Iterable[Object]) -> None:
        current = _current([row["spec"] for row in slices])
        self.devices: dict[Place, Published] = {row.place: row for spec in current for row in _published(spec)}
        self._counters: dict[tuple[str, ...], Decimal] = {
            (*_pool(spec), counters["name"], name): _amount(value["value"])
            for spec in current
            for counters in spec.get("sharedCounters", [])
            for name, value in counters.get("counters", {}).items()
        }
        self.names = {row.text("uuid"): row.place[2] for row in self.devices.values() if row.text("uuid")}

    @cached_property
    def kinds(self) -> dict[str, list[Published]]:
        """Devices that differ in their identity alone, together."""
        found: dict[str, list[Published]] = defaultdict(list)
        for row in self.devices.values():
            found[row.kind].append(row)
        return found

    def free(self, taken: Mapping[Place, Holder]) -> Free:
        """What is free while these are taken."""
        return Free(self, taken, self._counters)


class Free:
    """Which devices are free, and who is in the way of those that are not."""

    def __init__(
        self, stock: Stock, taken: Mapping[Place, Holder], counters: Mapping[tuple[str, ...], Decimal]
    ) -> None:
        self._taken, self._left = taken, dict(counters)
        self._users: dict[tuple[str, ...], list[Place]] = defaultdict(list)
        for place in taken:
            if device := stock.devices.get(place):
                for key, amount in _consumed(device):
                    self._left[key] = self._left.get(key, Decimal(0)) - amount
                    self._users[key[:3]].append(place)

    def has(self, device: Published) -> bool:
        """Whether a device is neither taken nor cut up: its shared counters still cover it."""
        if device.device.get("allowMultipleAllocations"):
            return True
        return device.place not in self._taken and all(
            self._left.get(key, Decimal(0)) >= amount for key, amount in _consumed(device)
        )

    def in_part(self, devices: Iterable[Published]) -> bool:
        """Whether some of these are not taken themselves, but part of the hardware that they share with others."""
        return any(device.place not in self._taken and not self.has(device) for device in devices)

    def holders(self, devices: Iterable[Published]) -> Counter[Holder]:
        """Who holds these devices, or parts of the same hardware: counts of what they hold."""
        places = {place for device in devices for place in self._in_the_way(device)}
        return Counter(self._taken[place] for place in places)

    def _in_the_way(self, device: Published) -> Iterator[Place]:
        if device.place in self._taken:
            yield device.place
        else:
            for key, _ in _consumed(device):
                yield from self._users.get(key[:3], ())


def _current(specs: Sequence[Object]) -> list[Object]:
    latest: dict[tuple[str, str], int] = {}
    for spec in specs:
        latest[_pool(spec)] = max(latest.get(_pool(spec), 0), _generation(spec))
    return [spec for spec in specs if _generation(spec) == latest[_pool(spec)]]


def _published(spec: Object) -> Iterator[Published]:
    for device in spec.get("devices", []):
        yield Published((*_pool(spec), device["name"]), spec.get("nodeName") or device.get("nodeName", ""), device)


def _pool(spec: Object) -> tuple[str, str]:
    return spec["driver"], spec["pool"]["name"]


def _generation(spec: Object) -> int:
    return int(spec["pool"].get("generation", 0))


def _consumed(device: Published) -> Iterator[tuple[tuple[str, ...], Decimal]]:
    for row in device.device.get("consumesCounters", []):
        for name, value in row.get("counters", {}).items():
            yield (*device.place[:2], row["counterSet"], name), _amount(value["value"])


@cache
def _amount(text: str) -> Decimal:
    return quantity.parse(text)
