"""Mistakes that a value alone does not show: words of other tables, and values that contradict each other.

Reads plain values, whether their form is right or not, so that no mistake hides behind another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tessera.dra import classes as catalogue
from tessera.spec import fits, hardware, service, tenancy, ways, workload_checks
from tessera.spec.problem import Path, Problem, quoted, show_path, unknown
from tessera.spec.rows import mapping, rows, text, texts
from tessera.spec.secret import Secret

type Check = Callable[[Mapping[str, Any]], Iterator[Problem]]


def problems(values: Mapping[str, Any]) -> Iterator[Problem]:
    """All problems of this kind. values: by key of the stack file."""
    checks: tuple[Check, ...] = (
        _nothings,
        _duplicates,
        _classes,
        fits.problems,
        tenancy.problems,
        workload_checks.problems,
        _settings,
        _site,
        _overrides,
        service.problems,
        hardware.problems,
        ways.problems,
    )
    for check in checks:
        yield from check(values)


def _nothings(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Nulls: an empty value is a value forgotten, but for overrides, where null deletes."""
    for path, value in _leaves({key: value for key, value in values.items() if key != "overrides"}):
        if value is None:
            yield Problem(path, "found nothing; write a value, or take the key out")


def _overrides(values: Mapping[str, Any]) -> Iterator[Problem]:
    """A recipe is shown, compared and committed, so it refers to secrets and holds none."""
    for path, value in _leaves({"overrides": values.get("overrides")}):
        if isinstance(value, Secret):
            said = "a recipe holds no secret; encrypt it as tessera:secrets.NAME, and write secret://NAME here"
            yield Problem(path, said)


def _leaves(tree: Any) -> Iterator[tuple[Path, Any]]:
    """All values that hold no others, with their paths; empty ones hold nothing and are left out."""
    waiting: list[tuple[Path, Any]] = [((), tree)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Mapping):
            waiting.extend(((*path, str(key)), inner) for key, inner in value.items())
        elif isinstance(value, list | tuple):
            waiting.extend(((*path, at), inner) for at, inner in enumerate(value))
        else:
            yield path, value


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
    for key in ("template", "resourceClaim"):
        yield from _taken(_claim_names(values, key))


def _claim_names(values: Mapping[str, Any], key: str) -> Iterator[tuple[Path, str]]:
    """Templates or claims with their namespaces; a template that is not named has its workload's name."""
    seen = set()
    for at, row in rows(values, "workloads"):
        name, namespace, own = text(row, key), text(row, "namespace"), (text(row, "namespace"), text(row, "name"))
        if not name and key == "template" and "resourceClaim" not in row and own not in seen:
            name = own[1]
        seen.add(own)
        if name and namespace:
            yield ("workloads", at, key), f"{namespace}/{name}"


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


def _settings(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Ways to buy that have settings: one of them."""
    allowed = ("block", "reservation")
    for at, pool in rows(values, "pools"):
        value = pool.get("capacity")
        if isinstance(value, Mapping) and len(found := [one for one in allowed if one in value]) != 1:
            said = " and ".join(found) or "none of its keys"
            yield Problem(("pools", at, "capacity"), f"found {said}; allowed: exactly one of {', '.join(allowed)}")


def _site(values: Mapping[str, Any]) -> Iterator[Problem]:
    site = mapping(values, "site")
    if site.get("rewrite") is True and "mirror" not in site:
        yield Problem(("site", "rewrite"), "there is no mirror to name in values; set tessera:site.mirror too")
