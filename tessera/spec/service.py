"""What each service takes: machines, operating systems, ways to buy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tessera.spec.problem import Problem
from tessera.spec.rows import listed, mapping, rows, text


@dataclass(frozen=True)
class Rules:
    """Of a service. machine: the key that names machines; count: the key that says how many; os: those it runs."""

    machine: str
    count: str
    os: tuple[str, ...]
    needs_os: bool = True
    cloud: bool = False


_UBUNTU = ("ubuntu-22.04", "ubuntu-24.04")
_METAL = ("debian-12", "debian-13", "rhel-9", *_UBUNTU)
RULES = {
    "eks": Rules("instance", "size", ("amazonlinux-2023", *_UBUNTU), cloud=True),
    "lab": Rules("board", "size", ("amazonlinux-2023", *_METAL), needs_os=False),
    "metal": Rules("board", "hosts", _METAL),
}
_OTHER = {"board": "instance", "instance": "board", "size": "hosts", "hosts": "size"}
_COUNTS = {"size": "a count of nodes", "hosts": "a list of hosts"}


def problems(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Pools that the stack's service can't have; where the service itself is wrong, what holds for every service."""
    name = text(mapping(values, "cluster"), "service") or ""
    check = _of_service(name, RULES[name]) if name in RULES else _of_any
    for at, pool in rows(values, "pools"):
        for key, said in check(pool):
            yield Problem(("pools", at, key) if key else ("pools", at), said)


def _of_any(pool: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for pair in (("board", "instance"), ("hosts", "size")):
        found = [key for key in pair if key in pool]
        if len(found) != 1 and not (pair[0] == "board" and _control_plane_only(pool)):
            yield "", f"found {' and '.join(found) or f'neither {pair[0]} nor {pair[1]}'}; allowed: exactly one of them"


def _of_service(name: str, rules: Rules) -> Callable[[Mapping[str, Any]], Iterator[tuple[str, str]]]:
    def check(pool: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        for key in (rules.machine, rules.count):
            if _OTHER[key] in pool:
                yield _OTHER[key], f"service {name} takes no {_OTHER[key]}; allowed: {key}"
        if rules.machine not in pool and not (name == "metal" and _control_plane_only(pool)):
            yield rules.machine, f"missing; allowed: the name of one {rules.machine} (service {name})"
        if rules.count not in pool:
            yield rules.count, f"missing; allowed: {_COUNTS[rules.count]} (service {name})"
        yield from _os(name, rules, pool)
        if not rules.cloud:
            bought = [key for key in ("efa", "capacity") if pool.get(key, False) is not False]
            yield from ((key, f"service {name} takes no {key}; allowed: on service eks only") for key in bought)

    return check


def _os(name: str, rules: Rules, pool: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    found, allowed = text(pool, "os"), ", ".join(rules.os)
    if "os" not in pool and rules.needs_os:
        yield "os", f"missing; allowed: {allowed} (service {name})"
    elif found in RULES["lab"].os and found not in rules.os:
        yield "os", f"service {name} has no {found}; allowed: {allowed}"


def _control_plane_only(pool: Mapping[str, Any]) -> bool:
    """Whether all hosts of a pool are of the control plane, and so need no GPU."""
    hosts = listed(pool, "hosts")
    return bool(hosts) and all(isinstance(host, Mapping) and host.get("role") == "control-plane" for host in hosts)
