"""Refusals: claims and pods that were never made, as the API server told the controllers that asked for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tessera.dra.stock import Object

CLAIM_REFUSED = "FailedResourceClaimCreation"
POD_REFUSED = "FailedCreate"

QUOTA, FORBIDDEN, TEMPLATE, OTHER = "quota", "forbidden", "no template", "not made"
"""Kinds of refusal."""

_EXCEEDED = re.compile(r"exceeded quota: ([^,]+), requested: (\S+), used: (\S+), limited: (\S+)")
_UNSTATED = re.compile(r"failed quota: ([^:]+): must specify (.+)")
_OF_CLAIM = re.compile(r"PodResourceClaim ([^:]+): (.*)", re.DOTALL)
_NO_TEMPLATE = re.compile(r'resource claim template "([^"]+)": .* not found')
_COMBINED = "(combined from similar events): "
_CLASS_KEYS = (
    re.compile(r"(.+)\.deviceclass\.resource\.k8s\.io/devices"),
    re.compile(r"requests\.deviceclass\.resource\.kubernetes\.io/(.+)"),
)
_EXTENDED_KEY = re.compile(r"requests\.(.+/.+)")


@dataclass(frozen=True)
class Asked:
    """One key of a quota, with the numbers of the refusal."""

    key: str
    asked: str
    used: str
    limit: str

    @property
    def device_class(self) -> str:
        """The class that the key counts, or nothing."""
        found = (form.fullmatch(self.key) for form in _CLASS_KEYS)
        return next((match[1] for match in found if match), "")

    @property
    def extended(self) -> str:
        """The extended resource that the key counts, such as nvidia.com/gpu, or nothing."""
        match = _EXTENDED_KEY.fullmatch(self.key)
        return match[1] if match and not self.device_class else ""

    @property
    def text(self) -> str:
        """gpu-inference-large asked 1, used 8 of 8."""
        return f"{self.device_class or self.extended or self.key} asked {self.asked}, used {self.used} of {self.limit}"


@dataclass(frozen=True)
class Refusal:
    """Why something was not made. reason: the kind; asked: the keys of a quota that was in the way."""

    reason: str
    why: str
    asked: tuple[Asked, ...] = ()

    @property
    def forbids(self) -> bool:
        """Whether it was not allowed, by a quota or a policy; else something is wrong or late."""
        return self.reason in (QUOTA, FORBIDDEN)


def refusal(message: str, namespace: str) -> Refusal:
    """What the message of an event says; one in another form is shown as it is."""
    text = message.removeprefix(_COMBINED)
    if match := _EXCEEDED.search(text):
        asked = _asked(match)
        return Refusal(QUOTA, f"quota of {namespace}: " + "; ".join(row.text for row in asked), asked)
    if match := _UNSTATED.search(text):
        keys = ", ".join(part.partition(" for: ")[0] for part in match[2].split("; "))
        return Refusal(QUOTA, f"quota of {namespace}: each pod must say its {keys}")
    if match := _NO_TEMPLATE.search(text):
        return Refusal(TEMPLATE, f"there is no ResourceClaimTemplate {match[1]} in {namespace}")
    plain = re.sub(r'^(?:create ResourceClaim : |Error creating: )|(?:resourceclaims\.\S+|pods) "[^"]+" is ', "", text)
    return Refusal(FORBIDDEN if " is forbidden: " in text else OTHER, f"not made: {plain}")


def refused_claims(events: Iterable[Object]) -> dict[tuple[str, str], Refusal]:
    """The last refusal of each claim of each pod, by the pod's UID and the claim's name in the pod."""
    found = {}
    for event in sorted(events, key=told_at):
        match = _OF_CLAIM.fullmatch(event.get("message", "").removeprefix(_COMBINED))
        if event.get("reason") == CLAIM_REFUSED and match:
            of = event["involvedObject"]
            found[of.get("uid", ""), match[1]] = refusal(match[2], of.get("namespace", ""))
    return found


def refused_pods(events: Iterable[Object]) -> dict[str, Object]:
    """The last event of each controller that could not create a pod, by the controller's UID."""
    ordered = sorted((event for event in events if event.get("reason") == POD_REFUSED), key=told_at)
    return {event["involvedObject"].get("uid", ""): event for event in ordered}


def told_at(event: Object) -> str:
    """When an event was last seen, UTC."""
    series = event.get("series") or {}
    metadata: Mapping[str, str] = event.get("metadata", {})
    found = series.get("lastObservedTime") or event.get("lastTimestamp") or event.get("eventTime")
    return str(found or metadata.get("creationTimestamp", ""))


def _asked(match: re.Match[str]) -> tuple[Asked, ...]:
    asked, used, limit = (_pairs(match[number]) for number in (2, 3, 4))
    return tuple(Asked(key, value, used.get(key, "?"), limit[key]) for key, value in asked.items() if key in limit)


def _pairs(text: str) -> dict[str, str]:
    return {key: value for key, _, value in (part.partition("=") for part in text.split(",")) if key}
