"""Claims: how a pod asks for devices of classes (resource.k8s.io/v1).

Limits are those of the API (facts: constants of resource/v1/types.go); what it would refuse later is refused here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tessera import naming
from tessera.dra.api import API_VERSION, CLASS_LABEL
from tessera.dra.requirements import Requirement
from tessera.dra.selectors import selector
from tessera.errors import ProblemsError

SAME: Final = {
    "parent": "gpu.nvidia.com/parentUUID",
    "pcie-root": "resource.kubernetes.io/pcieRoot",
    "numa": "resource.kubernetes.io/numaNode",
}
"""What devices of one claim can have in common, and the attribute that tells it."""

MOST_REQUESTS = 32
MOST_CONSTRAINTS = 32
MOST_ALTERNATIVES = 8
MOST_DEVICES = 32
"""Devices allocated to one claim."""

LONGEST_LABEL = 63
LONGEST_CLASS = 253
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", re.ASCII)


@dataclass(frozen=True)
class Ask:
    """Devices of one class. count: how many; None is all of a node that match. requires: more than the class does.

    name: of an alternative among others; a lone ask has none. A container names the request, request/alternative is
    what a constraint may name and what an allocation says.
    """

    device_class: str
    count: int | None = 1
    requires: Requirement | None = None
    name: str = ""


@dataclass(frozen=True)
class Request:
    """One request of a claim: one ask, or several of which the first that a node can give is taken."""

    name: str
    asks: tuple[Ask, ...]


@dataclass(frozen=True)
class Same:
    """What devices must have in common. what: of SAME; requests: by name, none for all of the claim.

    An alternative alone is request/alternative.
    """

    what: str
    requests: tuple[str, ...] = ()


@dataclass(frozen=True)
class Claim:
    """What a claim asks for. Raises ProblemsError with everything that the API or the scheduler would refuse."""

    requests: tuple[Request, ...]
    same: tuple[Same, ...] = ()

    def __post_init__(self) -> None:
        if problems := [*_request_problems(self.requests), *_same_problems(self)]:
            raise ProblemsError(problems)

    @property
    def classes(self) -> tuple[str, ...]:
        """Every class it names, alternatives too, each once."""
        return tuple(dict.fromkeys(ask.device_class for request in self.requests for ask in request.asks))

    def devices(self) -> Mapping[str, int]:
        """Devices by class as a quota counts them: all of a node counts 32, of alternatives the largest."""
        counts: dict[str, int] = {}
        for request in self.requests:
            largest: dict[str, int] = {}
            for ask in request.asks:
                largest[ask.device_class] = max(largest.get(ask.device_class, 0), ask.count or MOST_DEVICES)
            for name, count in largest.items():
                counts[name] = counts.get(name, 0) + count
        return counts


def claim_spec(claim: Claim) -> dict[str, Any]:
    """The spec of a ResourceClaim."""
    devices: dict[str, Any] = {"requests": [_request(request) for request in claim.requests]}
    if claim.same:
        devices["constraints"] = [_constraint(one) for one in claim.same]
    return {"devices": devices}


def claim_template(name: str, namespace: str, claim: Claim, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A ResourceClaimTemplate: each pod that names it gets a claim of its own, with the same labels."""
    metadata = _metadata(name, namespace, claim, labels)
    spec = {"metadata": {"labels": metadata["labels"]}, "spec": claim_spec(claim)}
    return {"apiVersion": API_VERSION, "kind": "ResourceClaimTemplate", "metadata": metadata, "spec": spec}


def resource_claim(name: str, namespace: str, claim: Claim, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A ResourceClaim that outlives pods and may be shared by several."""
    metadata = _metadata(name, namespace, claim, labels)
    return {"apiVersion": API_VERSION, "kind": "ResourceClaim", "metadata": metadata, "spec": claim_spec(claim)}


def _metadata(name: str, namespace: str, claim: Claim, labels: Mapping[str, str] | None) -> dict[str, Any]:
    first = claim.classes[0]
    own = {CLASS_LABEL: first} if len(first) <= LONGEST_LABEL else {}
    return {"name": name, "namespace": namespace, "labels": {**own, **(labels or {})}}


def _request(request: Request) -> dict[str, Any]:
    if len(request.asks) == 1:
        return {"name": request.name, "exactly": _ask(request.asks[0])}
    return {"name": request.name, "firstAvailable": [{"name": ask.name, **_ask(ask)} for ask in request.asks]}


def _ask(ask: Ask) -> dict[str, Any]:
    mode = {"allocationMode": "All"} if ask.count is None else {"allocationMode": "ExactCount", "count": ask.count}
    more = {} if ask.requires is None else {"selectors": [{"cel": {"expression": selector(ask.requires)}}]}
    return {"deviceClassName": ask.device_class, **mode, **more}


def _constraint(same: Same) -> dict[str, Any]:
    requests = {"requests": list(same.requests)} if same.requests else {}
    return {"matchAttribute": SAME[same.what], **requests}


def _request_problems(requests: Sequence[Request]) -> Iterator[str]:
    yield from _count("requests", len(requests), MOST_REQUESTS)
    yield from (f"request {name!r} is there twice; give each a name of its own" for name in _twice(requests))
    for request in requests:
        where = f"request {request.name}"
        yield from _bad_name("request", request.name)
        yield from (f"{where}: {said}" for said in _count("alternatives", len(request.asks), MOST_ALTERNATIVES))
        yield from (f"{where}: {said}" for said in _alternatives(request.asks))
        yield from (f"{where}: {said}" for ask in request.asks for said in _ask_problems(ask))
    least = sum(min((ask.count or 1 for ask in request.asks), default=0) for request in requests)
    if least > MOST_DEVICES and len(requests) > 1:
        yield f"found {least} devices in all requests, allowed {MOST_DEVICES} in one claim; make it two claims"


def _alternatives(asks: Sequence[Ask]) -> Iterator[str]:
    if len(asks) == 1 and asks[0].name:
        yield f"its only ask is called {asks[0].name!r}; a name is for one of several, leave it out"
    if len(asks) > 1:
        yield from (said for ask in asks for said in _bad_name("alternative", ask.name))
        yield from (f"alternative {name!r} is there twice; give each a name of its own" for name in _twice(asks))


def _ask_problems(ask: Ask) -> Iterator[str]:
    if len(ask.device_class) > LONGEST_CLASS or not all(map(_LABEL.fullmatch, ask.device_class.split("."))):
        allowed = f"small letters, digits, '-' and '.', at most {LONGEST_CLASS}"
        yield f"class {ask.device_class!r} can't be a DeviceClass's name; allowed: {allowed}"
    if ask.count is not None and not 1 <= ask.count <= MOST_DEVICES:
        yield f"found a count of {ask.count}, allowed 1 to {MOST_DEVICES} devices in one claim; make it several claims"


def _bad_name(what: str, name: str) -> Iterator[str]:
    if len(name) > LONGEST_LABEL or not _LABEL.fullmatch(name):
        yield f"{what} {name!r}: allowed: small letters, digits and '-' inside, at most {LONGEST_LABEL}"


def _same_problems(claim: Claim) -> Iterator[str]:
    if len(claim.same) > MOST_CONSTRAINTS:
        yield from _count("constraints", len(claim.same), MOST_CONSTRAINTS)
    parts = [f"{one.name}/{ask.name}" for one in claim.requests if len(one.asks) > 1 for ask in one.asks]
    names = [*(request.name for request in claim.requests), *parts]
    for one in claim.same:
        if one.what not in SAME:
            yield naming.unknown("common thing", one.what, SAME)
        yield from (naming.unknown("request", name, names) for name in one.requests if name not in names)
        yield from (f"request {name!r} is named twice in one constraint" for name in sorted(_repeated(one.requests)))


def _count(what: str, found: int, most: int) -> Iterator[str]:
    if not 1 <= found <= most:
        yield f"found {found} {what}, allowed 1 to {most}"


def _twice(named: Sequence[Request | Ask]) -> list[str]:
    return sorted(_repeated([one.name for one in named]))


def _repeated(names: Sequence[str]) -> set[str]:
    return {name for name in names if names.count(name) > 1}
