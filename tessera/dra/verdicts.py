"""Verdicts: whether a device satisfies a requirement, condition by condition and in words.

Judges typed values, without a CEL engine; a test holds it against one. What a device does not tell is unknown here,
for the hardware tables may not know it; a selector says no, or is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any

from tessera.dra import quantity, semver
from tessera.dra.requirements import GPU, MIG, NIC, Requirement, nvlink_products
from tessera.dra.selectors import DRIVER, NIC_DRIVER
from tessera.hardware.gpus import gpu
from tessera.hardware.rows import UNKNOWN

KINDS = {GPU: "a whole GPU", MIG: "a MIG device", NIC: "an RDMA network card"}

type Device = Mapping[str, Any]


@dataclass(frozen=True)
class Miss:
    """One condition that a device does not meet. unknown: nobody knows the device's value, so it may all the same.

    distance: of an amount from the wanted one, as a part of that; 0 where there is no such thing.
    """

    said: str
    unknown: bool = False
    distance: float = 0


def driver_of(wanted: Requirement) -> str:
    """The driver that publishes such devices."""
    return NIC_DRIVER if wanted.device == NIC else DRIVER


def misses(wanted: Requirement, driver: str, device: Device) -> tuple[Miss, ...]:
    """What of a requirement a device does not meet; nothing where it satisfies. device: as in a ResourceSlice."""
    if driver != driver_of(wanted):
        return (Miss(f"{KINDS[NIC] if driver == NIC_DRIVER else driver}, wanted {KINDS[wanted.device]}"),)
    if wanted.device == NIC:
        rdma = _attribute(device, f"{NIC_DRIVER}/rdma")
        return () if rdma is True else (Miss("a network card without RDMA, wanted one with it"),)
    found = (*_kind(wanted, device), *_names(wanted, device), *_sizes(wanted, device))
    return tuple(found)


def words(wanted: Requirement) -> str:
    """A requirement as people say it."""
    parts = [KINDS[wanted.device]]
    if wanted.product:
        parts.append(" or ".join(_products(wanted)))
    if wanted.nvlink:
        parts.append("joined by NVLink with the others of its board")
    parts += [f"architecture {wanted.architecture}"] if wanted.architecture else []
    parts += [f"profile {wanted.profile}"] if wanted.profile else []
    parts += [f"memory at least {wanted.memory}"] if wanted.memory else []
    parts += [f"memory at most {wanted.memory_at_most}"] if wanted.memory_at_most else []
    if wanted.compute_capability:
        parts.append(f"compute capability at least {wanted.compute_capability}")
    return ", ".join(parts)


def _kind(wanted: Requirement, device: Device) -> Iterator[Miss]:
    kind = _attribute(device, "type")
    if kind != wanted.device:
        yield Miss(f"{KINDS.get(str(kind), str(kind))}, wanted {KINDS[wanted.device]}")


def _names(wanted: Requirement, device: Device) -> Iterator[Miss]:
    product = _attribute(device, "productName")
    if (wanted.product or wanted.nvlink) and product not in _products(wanted):
        allowed = " or ".join(_products(wanted)) if wanted.product else "one that NVLink joins with others"
        yield _missing("product", product, allowed)
    profile = wanted.profile if _attribute(device, "type") == MIG else None  # else its kind says it all
    for name, value in (("architecture", wanted.architecture), ("profile", profile)):
        if value is not None and (found := _attribute(device, name)) != value:
            yield _missing(name, found, value)


def _sizes(wanted: Requirement, device: Device) -> Iterator[Miss]:
    memory = device.get("capacity", {}).get("memory", {}).get("value")
    if wanted.memory is not None and (memory is None or _amount(memory) < _amount(wanted.memory)):
        yield _far(memory, wanted.memory, "at least")
    if wanted.memory_at_most is not None and (memory is None or _amount(memory) > _amount(wanted.memory_at_most)):
        yield _far(memory, wanted.memory_at_most, "at most")
    least, version = wanted.compute_capability, _attribute(device, "cudaComputeCapability")
    if least is not None and (version is None or _version(version) < _version(least)):
        yield _missing("compute capability", version, f"at least {least}")


def _missing(what: str, found: Any, allowed: str) -> Miss:
    return Miss(f"{what} {UNKNOWN if found is None else found}, wanted {allowed}", found is None)


def _far(found: str | None, wanted: str, bound: str) -> Miss:
    distance = 0 if found is None else float(abs(_amount(found) / _amount(wanted) - 1))
    return replace(_missing("memory", found, f"{bound} {wanted}"), distance=distance)


def _products(wanted: Requirement) -> tuple[str, ...]:
    return tuple(str(gpu(key).product) for key in wanted.product or nvlink_products())


def _attribute(device: Device, name: str) -> Any:
    """The value of an attribute, whatever its type; None where there is none."""
    return next(iter(device.get("attributes", {}).get(name, {}).values()), None)


@cache
def _amount(text: str) -> Decimal:
    return quantity.parse(text)


@cache
def _version(text: str) -> semver.Version:
    return semver.parse(text)
