"""A stand-in for mig-parted: reads its configuration, format v1, as strictly as it does, and cuts a machine's GPUs.

Facts: mig-parted, api/spec/v1. Entries that name a GPU twice are refused here, where mig-parted takes the last one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from tessera.errors import ProblemsError, TesseraError
from tessera.hardware.machines import Machine
from tessera.hardware.mig import place

type Cuts = tuple[Mapping[str, int] | None, ...]
"""MIG devices by profile on each GPU; None where MIG is off."""

_TOP = {"version", "mig-configs"}
_ENTRY = {"device-filter", "devices", "mig-enabled", "mig-devices"}
_WHERE = "mig-parted's configuration"


def uncut(machine: Machine) -> Cuts:
    """GPUs on which MIG is off."""
    return (None,) * machine.count


def cut(text: str, name: str, machine: Machine) -> Cuts:
    """How a machine's GPUs are cut by the configuration called name.

    Raises TesseraError for what mig-parted refuses, and for instances that the driver could not make.
    """
    configs = _read(text)
    if name not in configs:
        raise _error(f"there is no {name!r}; it has {', '.join(configs)}")
    found: list[Mapping[str, int] | None] = list(uncut(machine))
    seen: set[int] = set()
    for entry in configs[name]:
        for index in _matched(entry, machine):
            if index in seen:
                raise _error(f"{name}: GPU {index} is in two entries")
            seen.add(index)
            found[index] = _made(entry, machine)
    return tuple(found)


def _read(text: str) -> Mapping[str, list[Mapping[str, Any]]]:
    tree = yaml.safe_load(text)
    if not isinstance(tree, Mapping) or tree.get("version") != "v1":
        raise _error("unknown version; write version: v1")
    _known(tree, _TOP)
    configs = tree.get("mig-configs") or {}
    for name, entries in configs.items():
        if not entries:
            raise _error(f"{name}: at least one entry is required")
        for entry in entries:
            _check(entry)
    return dict(configs)


def _check(entry: Mapping[str, Any]) -> None:
    _known(entry, _ENTRY)
    for key in ("devices", "mig-enabled"):
        if key not in entry:
            raise _error(f"missing required field: {key}")
    if entry["devices"] != "all" and not isinstance(entry["devices"], list):
        raise _error(f"devices: found {entry['devices']!r}, allowed all or a list of indexes")
    if not all(isinstance(one, str) for one in _filters(entry)):
        raise _error(f"device-filter: found {entry['device-filter']!r}, which is no text; write it in quotes")
    if type(entry["mig-enabled"]) is not bool:
        raise _error(f"mig-enabled: found {entry['mig-enabled']!r}, allowed true or false")
    if entry["mig-enabled"] and entry.get("mig-devices") is None:
        raise _error("missing required field 'mig-devices' when 'mig-enabled' is true")
    if not entry["mig-enabled"] and entry.get("mig-devices"):
        raise _error("MIG devices included when 'mig-enabled' is false")


def _known(found: Mapping[str, Any], allowed: set[str]) -> None:
    for key in found:
        if key not in allowed:
            raise _error(f"unexpected field: {key}")


def _filters(entry: Mapping[str, Any]) -> list[Any]:
    found = entry.get("device-filter", [])
    return found if isinstance(found, list) else [found]


def _matched(entry: Mapping[str, Any], machine: Machine) -> Iterator[int]:
    """GPUs of the machine that an entry is for; an index without a GPU is passed over."""
    filters = _filters(entry)
    if filters and not set(filters) & set(machine.gpu.device_filters):
        return
    for index in range(machine.count):
        if entry["devices"] == "all" or index in entry["devices"]:
            yield index


def _made(entry: Mapping[str, Any], machine: Machine) -> Mapping[str, int] | None:
    if not entry["mig-enabled"]:
        return None
    wanted = {str(name): int(count) for name, count in entry["mig-devices"].items()}
    try:
        place(machine.gpu, wanted)
    except ProblemsError as error:
        raise _error(str(error)) from error
    return wanted


def _error(said: str) -> TesseraError:
    return TesseraError(f"{_WHERE}: {said}")
