"""Mistakes that a value alone does not show: words of other tables, and values that contradict each other.

Reads plain values, whether their form is right or not, so that no mistake hides behind another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tessera.dra import classes as catalogue
from tessera.spec import hardware, service
from tessera.spec.problem import Path, Problem, quoted, show_path, unknown
from tessera.spec.rows import mapping, rows, text, texts

type Check = Callable[[Mapping[str, Any]], Iterator[Problem]]


def problems(values: Mapping[str, Any]) -> Iterator[Problem]:
    """All problems of this kind. values: by key of the stack file."""
    checks: tuple[Check, ...] = (
        _nothings,
        _duplicates,
        _classes,
        _quotas,
        _workloads,
        _settings,
        service.problems,
        hardware.problems,
    )
    for check in checks:
        yield from check(values)


def _nothings(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Nulls: an empty value is a value forgotten, but for overrides, where null deletes."""
    waiting: list[tuple[Path, Any]] = [((key,), value) for key, value in values.items() if key != "overrides"]
    while waiting:
        path, value = waiting.pop()
        if value is None:
            yield Problem(path, "found nothing; write a value, or take the key out")
        elif isinstance(value, Mapping):
            waiting.extend(((*path, str(key)), inner) for key, inner in value.items())
        elif isinstance(value, list | tuple):
            waiting.extend(((*path, at), inner) for at, inner in enumerate(value))


def _duplicates(values: Mapping[str, Any]) -> Iterator[Problem]:
    yield from _taken((("pools", at, "name"), text(row, "name")) for at, row in rows(values, "pools"))
    yield from _taken((("tenants", at, "name"), text(row, "name")) for at, row in rows(values, "tenants"))
    yield from _taken((("classes", at), name) for at, name in texts(values, "classes"))
    for key in ("name", "address"):
        yield from _taken(
            (("pools", pool, "hosts", at, key), text(host, key))
            for pool, row in rows(values, "pools")
            for at, host in rows(row, "hosts")
        )
    yield from _taken(
        (("workloads", at, "name"), f"{text(row, 'namespace')}/{text(row, 'name')}")
        for at, row in rows(values, "workloads")
        if text(row, "namespace") and text(row, "name")
    )


def _taken(names: Iterator[tuple[Path, str | None]]) -> Iterator[Problem]:
    first: dict[str, Path] = {}
    for path, name in names:
        if name and (other := first.setdefault(name, path)) != path:
            yield Problem(path, f"{quoted(name)} is taken by {show_path(other)}; each may be there once")


def _classes(values: Mapping[str, Any]) -> Iterator[Problem]:
    known = tuple(catalogue.names())
    for at, name in texts(values, "classes"):
        if name not in known:
            yield Problem(("classes", at), unknown("class", name, known))


def _quotas(values: Mapping[str, Any]) -> Iterator[Problem]:
    offered = _offered(values)
    for at, tenant in rows(values, "tenants"):
        for name in mapping(tenant, "quota"):
            if name not in offered:
                yield Problem(("tenants", at, "quota", str(name)), _not_offered(str(name), offered))


def _workloads(values: Mapping[str, Any]) -> Iterator[Problem]:
    offered = _offered(values)
    for at, workload in rows(values, "workloads"):
        name = text(workload, "class")
        if name and name not in offered:
            yield Problem(("workloads", at, "class"), _not_offered(name, offered))


def _offered(values: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, name in texts(values, "classes")))


def _not_offered(name: str, offered: tuple[str, ...]) -> str:
    known = tuple(one for one in offered if one in catalogue.names())
    return f"{unknown('class', name, known)} (tessera:classes of this stack)"


def _settings(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Ways to share and to buy that have settings: one of each."""
    choices = {"sharing": ("mig", "mps", "time-slicing"), "capacity": ("block", "reservation")}
    for at, pool in rows(values, "pools"):
        for key, allowed in choices.items():
            value = pool.get(key)
            if isinstance(value, Mapping) and len(found := [one for one in allowed if one in value]) != 1:
                said = " and ".join(found) or "none of its keys"
                yield Problem(("pools", at, key), f"found {said}; allowed: exactly one of {', '.join(allowed)}")
