"""Capacities and counters: how much of a GPU a device is, by the names of NVIDIA's DRA driver.

Facts: driver v0.5, mig.go (capacities of a MIG device), partitions.go (a counter is a capacity's name with hyphens,
and each memory slice is a counter of its own).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from tessera.hardware.gpus import Gpu
from tessera.hardware.mig import MigProfile, profiles

MEMORY = "memory"
NAMES = ("copyEngines", "decoders", "encoders", "jpegEngines", MEMORY, "multiprocessors", "ofaEngines")
"""What a MIG device publishes: memory in MiB here, the others as counts."""

type Amounts = Mapping[str, int]


@cache
def of_profile(found: MigProfile) -> Amounts:
    """What a device of this profile is; what nobody knows is left out."""
    takes = found.engines
    all_of_them = (
        takes.copy,
        takes.decoders,
        takes.encoders,
        takes.jpeg,
        found.memory_mib,
        found.sms,
        takes.ofa,
    )
    known = {name: value for name, value in zip(NAMES, all_of_them, strict=True) if value is not None}
    return MappingProxyType(known)


@cache
def maxima(gpu: Gpu) -> Amounts:
    """The most that any profile of the GPU takes, of what is known of every profile.

    The driver lists these as the whole GPU's capacity, and counts by them; a bound made from some profiles only
    would refuse devices that fit.
    """
    found = [of_profile(one) for one in profiles(gpu)]
    known = [name for name in NAMES if all(name in one for one in found)]
    return MappingProxyType({name: max(one[name] for one in found) for name in known})


def capacity(amounts: Amounts) -> dict[str, Any]:
    """A device's capacity."""
    return {name: {"value": _quantity(name, amount)} for name, amount in amounts.items()}


def counters(amounts: Amounts, slices: Iterable[int]) -> dict[str, Any]:
    """Counters of these amounts, and one for each memory slice."""
    named = {_hyphened(name): {"value": _quantity(name, amount)} for name, amount in amounts.items()}
    return named | {f"memory-slice-{at}": {"value": "1"} for at in slices}


def mebibytes(amount: int) -> str:
    """So many MiB, spelt as the API server spells them."""
    return f"{amount // 1024}Gi" if amount % 1024 == 0 else f"{amount}Mi"


def _quantity(name: str, amount: int) -> str:
    return mebibytes(amount) if name == MEMORY else str(amount)


@cache
def _hyphened(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
