"""Mistakes of tenants: names that the cluster needs itself, and grants of what the stack does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tessera.dra import classes as catalogue
from tessera.dra import quantity
from tessera.errors import TesseraError
from tessera.spec.problem import Path, Problem, quoted, unknown
from tessera.spec.rows import mapping, rows, text, texts
from tessera.tenants.tenant import Defaults

_SYSTEM = re.compile(r"default|kube-.*|tessera-.*|.*-system")
_DEVICES = re.compile(r"([^/]*\.)?nvidia\.com/.*|([^/]*\.)?amd\.com/.*|deviceclass\.resource\.kubernetes\.io/.*")
_PAIRS = (("cpuRequest", "cpuLimit"), ("memoryRequest", "memoryLimit"))


def problems(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Problems of all tenants. values: by key of the stack file."""
    offered = tuple(dict.fromkeys(name for _, name in texts(values, "classes")))
    for at, tenant in rows(values, "tenants"):
        for check in (_name, _groups, _resources, _defaults):
            yield from check(("tenants", at), tenant)
        yield from _quota(("tenants", at), tenant, offered)
        yield from _borrowing(("tenants", at), tenant)
        yield from _priorities(("tenants", at), tenant, offered)


def _name(path: Path, tenant: Mapping[str, Any]) -> Iterator[Problem]:
    name = text(tenant, "name") or ""
    if _SYSTEM.fullmatch(name):
        allowed = "any but default, kube-..., tessera-... and ...-system"
        yield Problem((*path, "name"), f"{quoted(name)} is a namespace of the cluster's own; allowed: {allowed}")


def _groups(path: Path, tenant: Mapping[str, Any]) -> Iterator[Problem]:
    if tenant.get("groups") in ([], ()):
        yield Problem((*path, "groups"), "found an empty list; name at least one group, or nobody can use the quota")
    for at, name in texts(tenant, "groups"):
        if name.startswith("system:"):
            said = f"{quoted(name)} is a group of the cluster's own; name groups of the identity provider"
            yield Problem((*path, "groups", at), said)


def _quota(path: Path, tenant: Mapping[str, Any], offered: tuple[str, ...]) -> Iterator[Problem]:
    known = tuple(one for one in offered if one in catalogue.names())
    for name in mapping(tenant, "quota"):
        if name not in offered:
            said = f"{unknown('class', str(name), known)} (tessera:classes of this stack)"
            yield Problem((*path, "quota", str(name)), said)


def _borrowing(path: Path, tenant: Mapping[str, Any]) -> Iterator[Problem]:
    """A queue lends what it counts: classes that the tenant has a quota of, and that can be queued."""
    quota = tuple(map(str, mapping(tenant, "quota")))
    for name in map(str, mapping(mapping(tenant, "queue"), "borrowing")):
        here = (*path, "queue", "borrowing", name)
        if name not in quota:
            yield Problem(here, f"{unknown('class', name, quota)} (quota of this tenant, where 0 is a number too)")
        elif name in catalogue.names() and not (queueable := catalogue.service_class(name).queueable).answer:
            yield Problem(here, f"class {name!r} can't be queued, so nothing lends it: {queueable.because}")


def _priorities(path: Path, tenant: Mapping[str, Any], offered: tuple[str, ...]) -> Iterator[Problem]:
    known = {catalogue.service_class(one).priority for one in offered if one in catalogue.names()}
    for at, name in texts(tenant, "priorities"):
        if name not in known:
            said = f"{unknown('priority', name, tuple(known))} (those of tessera:classes of this stack)"
            yield Problem((*path, "priorities", at), said)


def _resources(path: Path, tenant: Mapping[str, Any]) -> Iterator[Problem]:
    for name in map(str, mapping(tenant, "resources")):
        if _DEVICES.fullmatch(name):
            said = "GPUs are claimed by class, where quota and rules hold; put a class into quota instead"
            yield Problem((*path, "resources", name), said)


def _defaults(path: Path, tenant: Mapping[str, Any]) -> Iterator[Problem]:
    """A request above its limit: such pods would all be refused."""
    own = {name.replace("_r", "R").replace("_l", "L"): value for name, value in vars(Defaults()).items()}
    own.update({key: value for key, value in mapping(tenant, "defaults").items() if isinstance(value, str)})
    for request, limit in _PAIRS:
        try:
            above = quantity.parse(own[request]) > quantity.parse(own[limit])
        except TesseraError:  # told as a mistake of form
            continue
        if above:
            key = request if request in mapping(tenant, "defaults") else limit
            said = f"the request ({own[request]}) is above the limit ({own[limit]}); raise {limit} or lower {request}"
            yield Problem((*path, "defaults", key), said)
