"""Service classes: the catalogue's priced service levels, read from recipes/classes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from tessera import data, naming
from tessera.dra import priorities
from tessera.dra.api import API_VERSION, CLASS_LABEL
from tessera.dra.claims import MOST_DEVICES, SAME, Ask, Claim, Request, Same
from tessera.dra.rates import Rate, rate
from tessera.dra.requirements import Requirement, requirement
from tessera.dra.selectors import selector
from tessera.errors import ProblemsError, TesseraError
from tessera.hardware.rows import Row

BOARD: Final = "board"
"""ServiceClass.count of a class that hands out all GPUs of one NVLink board at once."""

QUOTA_SUFFIX = ".deviceclass.resource.k8s.io/devices"
LONGEST_NAME = 63
"""Of a class: its name is the value of a label too."""

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", re.ASCII)


@dataclass(frozen=True)
class Companion:
    """A device that comes with each of a class's own. same: what both share, of claims.SAME."""

    name: str
    device_class: str
    requires: Requirement
    same: str


@dataclass(frozen=True)
class Queueable:
    """Whether claims of a class are queued (by Kueue), and why."""

    answer: bool
    because: str


@dataclass(frozen=True)
class ServiceClass:
    """One service level. name: also its DeviceClass's. count: devices of one claim, or BOARD. priority: by name."""

    name: str
    summary: str
    requires: Requirement
    count: int | str
    companions: tuple[Companion, ...]
    price: Rate
    priority: str
    queueable: Queueable
    because: str

    @property
    def device_class_names(self) -> tuple[str, ...]:
        """Its DeviceClass, and those of what comes with it."""
        return (self.name, *(companion.device_class for companion in self.companions))

    @property
    def quota_key(self) -> str:
        """Key of a ResourceQuota that counts its own devices."""
        return quota_key(self.name)

    @property
    def quota_keys(self) -> tuple[str, ...]:
        """Keys of a ResourceQuota that count its devices, and those of what comes with it."""
        return tuple(map(quota_key, self.device_class_names))


def quota_key(device_class: str) -> str:
    """The key of a ResourceQuota that counts the devices of a DeviceClass."""
    return device_class + QUOTA_SUFFIX


def names() -> list[str]:
    """Names of all classes in the catalogue, sorted."""
    return data.names("classes")


@cache
def service_class(name: str) -> ServiceClass:
    """The class called name, read once per process. Raises TesseraError where it is unknown or its file is wrong."""
    if name not in names():
        raise TesseraError(naming.unknown("class", name, names()))
    file = f"classes/{name}.yaml"
    _check_name(name, f"recipes/{file}")
    row = Row(f"recipes/{file}", data.load(file))
    return ServiceClass(
        name=name,
        summary=row.text("summary"),
        requires=_requirement(row, "requires"),
        count=_count(row),
        companions=_companions(name, row),
        price=rate(row.row("price")),
        priority=_priority(row),
        queueable=Queueable(row.row("queueable").flag("answer"), row.row("queueable").text("because")),
        because=row.text("because"),
    )


def device_classes(level: ServiceClass) -> list[dict[str, Any]]:
    """The DeviceClasses (resource.k8s.io/v1) of a service level: its own first."""
    wanted = {level.name: level.requires, **{one.device_class: one.requires for one in level.companions}}
    return [_device_class(name, level.name, requires) for name, requires in wanted.items()]


def class_claim(level: ServiceClass, count: int | None = None) -> Claim:
    """A claim of count devices of a class, each with what comes with it; without count, as many as the class says.

    Raises TesseraError where that is a board's, for only a pool says how many; ProblemsError beyond a claim's limits.
    """
    if count is None:
        count = _own_count(level)
    alone = Request(level.requires.device, (Ask(level.name, count),))
    if not level.companions:
        return Claim((alone,))
    requests, same = [], []
    for number in range(count):
        end = f"-{number}" if count > 1 else ""
        own = Request(level.requires.device + end, (Ask(level.name),))
        requests.append(own)
        for one in level.companions:
            requests.append(Request(one.name + end, (Ask(one.device_class),)))
            same.append(Same(one.same, (own.name, one.name + end)))
    return Claim(tuple(requests), tuple(same))


def _own_count(level: ServiceClass) -> int:
    if isinstance(level.count, int):
        return level.count
    raise TesseraError(f"class {level.name}: hands out all GPUs of a board; say how many that are on the node")


def _check_name(name: str, where: str) -> None:
    if len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
        said = f"found the class {name!r}, allowed: small letters, digits and '-' inside, at most {LONGEST_NAME}"
        raise TesseraError(f"{where}: {said}; rename the file")


def _device_class(name: str, level: str, requires: Requirement) -> dict[str, Any]:
    return {
        "apiVersion": API_VERSION,
        "kind": "DeviceClass",
        "metadata": {"name": name, "labels": {CLASS_LABEL: level}},
        "spec": {"selectors": [{"cel": {"expression": selector(requires)}}]},
    }


def _requirement(row: Row, key: str) -> Requirement:
    values = row.row(key)
    try:
        return requirement(values.plain())
    except ProblemsError as error:
        raise ProblemsError([f"{values.where}: {line}" for line in error.problems]) from error


def _count(row: Row) -> int | str:
    found = row.value("count")
    if found == BOARD:
        return BOARD
    if type(found) is int and 1 <= found <= MOST_DEVICES:
        return found
    raise TesseraError(f"{row.where}.count: found {found!r}, allowed: {BOARD}, or 1 to {MOST_DEVICES} devices")


def _companions(name: str, row: Row) -> tuple[Companion, ...]:
    if row.value("with") is None:
        return ()
    return tuple(_companion(name, key, inner) for key, inner in row.row("with").named().items())


def _companion(name: str, key: str, row: Row) -> Companion:
    same = row.text("same")
    if same not in SAME:
        raise TesseraError(f"{row.where}.same: {naming.unknown('common thing', same, SAME)}")
    return Companion(key, f"{name}-{key}", _requirement(row, "requires"), same)


def _priority(row: Row) -> str:
    name = row.text("priority")
    if name not in priorities.names():
        raise TesseraError(f"{row.where}.priority: {naming.unknown('priority', name, priorities.names())}")
    return name


def quotas(counts: Mapping[str, int]) -> dict[str, str]:
    """The hard limits of a ResourceQuota for so many devices of each class; companions count like their own."""
    return {key: str(count) for name, count in counts.items() for key in service_class(name).quota_keys}
