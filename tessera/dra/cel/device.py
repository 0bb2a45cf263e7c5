"""The variables of an expression: one device of a ResourceSlice (resource.k8s.io/v1 shape)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tessera.dra import quantity, semver
from tessera.dra.cel.values import Domains


def variables(device: Mapping[str, Any], driver: str) -> dict[str, Any]:
    """What the expression reads. A name without a domain is in the driver's own."""
    return {
        "device.driver": driver,
        "device.allowMultipleAllocations": bool(device.get("allowMultipleAllocations", False)),
        "device.attributes": _domains(device.get("attributes", {}), driver, _attribute),
        "device.capacity": _domains(device.get("capacity", {}), driver, lambda held: quantity.read(str(held["value"]))),
    }


def _domains(named: Mapping[str, Mapping[str, Any]], driver: str, read: Any) -> Domains:
    found = Domains()
    for name, held in named.items():
        domain, _, key = name.rpartition("/")
        found.setdefault(domain or driver, {})[key] = read(held)
    return found


def _attribute(held: Mapping[str, Any]) -> Any:
    return semver.parse(held["version"]) if "version" in held else next(iter(held.values()))
