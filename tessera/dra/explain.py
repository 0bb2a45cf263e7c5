"""Why a device was chosen: each condition of its class, evaluated on the device itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tessera.dra import cel
from tessera.dra.selectors import split

_COMPARED = re.compile(
    r'device\.(?:attributes|capacity)\["([^"]+)"\]\.(\w+)\.compareTo'
    r'\((?:quantity|semver)\("([^"]+)"\)\) (>=|<=|==|>|<) 0'
)
_EQUAL = re.compile(r'device\.attributes\["([^"]+)"\]\.(\w+) == "?([^"]+)"?')
_PRESENT = re.compile(r'"\w+" in device\.\w+\["[^"]+"\]')


@dataclass(frozen=True)
class Reason:
    """One condition, what it was found to be on the device, and how it reads: memory 81559Mi >= 24G."""

    condition: str
    verdict: cel.Verdict
    text: str


def reasons(selectors: Sequence[str], device: Mapping[str, Any], driver: str) -> list[Reason]:
    """Each conjunct of a class's selectors on one device of a ResourceSlice, in order."""
    return [
        Reason(part, cel.evaluate(part, device, driver), _read(part, device, driver))
        for expression in selectors
        for part in split(expression)
    ]


def sentence(found: Sequence[Reason]) -> str:
    """The reasons as one line; guards that only protect another condition are left out."""
    shown = [reason for reason in found if not _PRESENT.fullmatch(reason.condition) or reason.verdict is not True]
    return ", ".join(reason.text + _mark(reason.verdict) for reason in shown)


def _mark(verdict: cel.Verdict) -> str:
    if verdict is True:
        return ""
    return " (does not hold)" if verdict is False else f" (error: {verdict})"


def _read(condition: str, device: Mapping[str, Any], driver: str) -> str:
    if match := _COMPARED.fullmatch(condition):
        domain, name, bound, operator = match.groups()
        return f"{name} {_value(domain, name, device, driver)} {operator} {bound}"
    if match := _EQUAL.fullmatch(condition):
        return f"{match[2]} {_value(match[1], match[2], device, driver)}"
    if condition == f'device.driver == "{driver}"':
        return f"driver {driver}"
    return condition


def _value(domain: str, name: str, device: Mapping[str, Any], driver: str) -> str:
    qualified = f"{domain}/{name}"
    for values in (device.get("attributes", {}), device.get("capacity", {})):
        for key in (qualified, name) if domain == driver else (qualified,):
            if key in values:
                return str(next(iter(values[key].values())))
    return "missing"
