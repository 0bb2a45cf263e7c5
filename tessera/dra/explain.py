"""Why a device was chosen: each condition of its class, evaluated on the device itself."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tessera.dra import cel
from tessera.dra.selectors import split
from tessera.dra.stock import IDENTITIES, Published

_COMPARED = re.compile(
    r'device\.(?:attributes|capacity)\["([^"]+)"\]\.(\w+)\.compareTo'
    r'\((?:quantity|semver)\("([^"]+)"\)\) (>=|<=|==|>|<) 0'
)
_EQUAL = re.compile(r'device\.attributes\["([^"]+)"\]\.(\w+) == "?([^"]+)"?')
_AMONG = re.compile(r'device\.attributes\["([^"]+)"\]\.(\w+) in \[.*\]')
_PRESENT = re.compile(r'"\w+" in device\.\w+\["[^"]+"\]')


@dataclass(frozen=True)
class Reason:
    """One condition, what it was found to be on the device, and how it reads: memory 81559Mi >= 24G."""

    condition: str
    verdict: cel.Verdict
    text: str


def reasons(selectors: Sequence[str], device: Mapping[str, Any], driver: str) -> list[Reason]:
    """Each conjunct of a class's selectors on one device of a ResourceSlice, in order."""
    return [_reason(part, device, driver) for expression in selectors for part in split(expression)]


def sentence(found: Sequence[Reason]) -> str:
    """The reasons as one line; guards that only protect another condition are left out."""
    shown = [reason for reason in found if not _PRESENT.fullmatch(reason.condition) or reason.verdict is not True]
    return ", ".join(reason.text + _mark(reason.verdict) for reason in shown)


def _reason(condition: str, device: Mapping[str, Any], driver: str) -> Reason:
    verdict = cel.evaluate(condition, device, driver)
    text = _read(condition, device, driver)
    if verdict is False and (match := _EQUAL.fullmatch(condition)):
        text = f"{text} == {match[3]}"
    return Reason(condition, verdict, text)


def _mark(verdict: cel.Verdict) -> str:
    if verdict is True:
        return ""
    return " (does not hold)" if verdict is False else f" (error: {verdict})"


def _read(condition: str, device: Mapping[str, Any], driver: str) -> str:
    if match := _COMPARED.fullmatch(condition):
        domain, name, bound, operator = match.groups()
        return f"{name} {_value(domain, name, device, driver)} {operator} {bound}"
    if match := _EQUAL.fullmatch(condition) or _AMONG.fullmatch(condition):
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


class Matcher:
    """Verdicts and reasons of selectors on published devices, found once for all devices of a kind.

    Keep it between two looks at a cluster: what it found stays true, whatever slices come and go.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[tuple[str, ...], str], list[Reason]] = {}

    def reasons(self, selectors: Sequence[str], device: Published) -> list[Reason]:
        """As reasons(), for one published device."""
        key = tuple(selectors), self._seen(selectors, device)
        if key not in self._found:
            self._found[key] = reasons(selectors, device.device, device.place[0])
        return self._found[key]

    def verdict(self, selectors: Sequence[str], device: Published) -> cel.Verdict:
        """True: it matches. Else the first that is not: conditions absorb errors as && does."""
        found = [reason.verdict for reason in self.reasons(selectors, device)]
        if False in found:
            return False
        return next((verdict for verdict in found if verdict is not True), True)

    @staticmethod
    def tells_apart(selectors: Sequence[str]) -> bool:
        """Whether selectors look at what tells equal devices apart, such as their PCIe root."""
        return any(name in expression for expression in selectors for name in IDENTITIES)

    def _seen(self, selectors: Sequence[str], device: Published) -> str:
        """What these selectors can see of a device."""
        if self.tells_apart(selectors):
            return json.dumps([device.place[0], device.device], sort_keys=True)
        return device.kind
