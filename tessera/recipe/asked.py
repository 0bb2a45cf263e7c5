"""What a stack asks, checked, and its overrides as the last layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from tessera import naming
from tessera.recipe import conditions, fields
from tessera.recipe.layers import FOLDERS
from tessera.recipe.marked import mark
from tessera.recipe.request import RecipeRequest
from tessera.recipe.writes import Origin, Write
from tessera.recipe.writes import writes as all_writes

_REQUIRED = [name for name in conditions.CLUSTER if name not in conditions.OPTIONAL]


def problems(request: RecipeRequest) -> list[str]:
    """What is wrong with a request, before any layer is looked at."""
    found = [*_criteria("the cluster", request.criteria, request.stated, conditions.CLUSTER)]
    found += [f"the cluster: {name} is missing" for name in _REQUIRED if name not in request.criteria]
    for pool in request.pools:
        found += _criteria(f"pool {pool.name!r}", pool.criteria, pool.stated, conditions.POOL)
        if type(pool.size) is not int or pool.size < 0:
            found.append(f"pool {pool.name!r}: size must be a count of nodes; found {pool.size!r}")
    for name, count in Counter(pool.name for pool in request.pools).items():
        if count > 1:
            found.append(f"pool {name!r} is there {count} times; names must differ")
    wrong = fields.plain(request.overrides)
    return [*found, f"{request.file}: overrides: {wrong}"] if wrong else found


def _criteria(
    where: str, criteria: Mapping[str, str], stated: Iterable[str], allowed: tuple[str, ...]
) -> Iterator[str]:
    for name, value in criteria.items():
        if name not in allowed:
            yield f"{where}: {naming.unknown('criterion', name, allowed)}"
        elif not value or type(value) is not str:
            yield f"{where}: {name} must be text, not empty; found {value!r}"
    yield from (f"{where}: {name} is stated but has no value" for name in sorted(set(stated) - set(criteria)))


def writes(request: RecipeRequest) -> list[Write]:
    """The stack's overrides, and the components that it switches off, as writes of the last layer."""
    origin = Origin("overrides", request.file, 0, "the stack's own override")
    at = (len(FOLDERS), "overrides", 0)
    found: list[Write] = []
    for name, values in request.overrides.items():
        template = Write(("components", name, "values"), "set", None, origin, False, at)
        found += all_writes(mark(values, request.lines, (name,), request.lines.get((), 0)), template)
    for name, line in request.off.items():
        off = Origin("overrides", request.file, line, "switched off by the stack")
        found.append(Write(("components", name, "enabled"), "set", False, off, False, at))
    return found
