"""Vetting: whether the values of a component are what its chart knows, takes and reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tessera.charts import keys, kinds
from tessera.charts.keys import Path
from tessera.charts.known import Known
from tessera.charts.merged import is_on, merged
from tessera.charts.tree import Paths

_LETTERS = 5
"""Of shorter keys, two that differ in one letter may both be meant: min and max."""


class Installed(Protocol):
    """What is asked of a component."""

    @property
    def values(self) -> Mapping[str, Any]: ...  # noqa: D102

    @property
    def namespace(self) -> str: ...  # noqa: D102


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a value. path: below the component's values; kind: in one word.

    kind: unknown, removed, renamed, gone, unread, type, off or refused.
    """

    path: Path
    kind: str
    text: str


def problems(component: Installed, chart: Known) -> list[Problem]:
    """All that is wrong with a component's values: path by path, subcharts that are off, the chart's refusals."""
    found = list(paths(component.values, chart))
    whole = merged(chart.tree, component.values)
    found += _off(component.values, whole, chart)
    for refusal in chart.refusals:
        case = refusal.holds(whole, component.namespace)
        if case is not None:
            blamed = next((path for path in case if path != "@namespace"), "")
            found.append(Problem(keys.split(blamed), "refused", f"{chart.tree.name} refuses this: {refusal.says}"))
    return found


def paths(values: Mapping[str, Any], chart: Known, at: Path = ()) -> Iterator[Problem]:
    """What is wrong with each value by itself: its path, and its type."""
    for key, value in values.items():
        yield from of_path((*at, key), value, chart)


def of_path(path: Path, value: Any, chart: Known) -> Iterator[Problem]:
    """What is wrong with a value at a path, and with all below it."""
    dead = _dead(path, chart)
    if dead:
        yield dead
    elif _free(path, chart):
        return
    elif path in chart.tree.inner and path not in chart.tree.values:
        if isinstance(value, Mapping):
            yield from paths(value, chart, path)
        elif value is not None and path not in chart.tree.template_only:
            below = ", ".join(sorted(chart.tree.inner[path])[:8])
            yield Problem(path, "type", f"must be a mapping (with {below}); found {value!r}")
    elif path in chart.tree.values:
        yield from _typed(path, value, chart)
    elif isinstance(value, Mapping) and any(path == dead[: len(path)] for dead in chart.dead):
        yield from paths(value, chart, path)
    elif path not in chart.tree.known:
        yield _unknown(path, chart)


def _typed(path: Path, value: Any, chart: Known) -> Iterator[Problem]:
    here = chart.tree.values[path]
    if isinstance(value, Mapping) and path in chart.tree.inner and path not in chart.tree.open:
        yield from paths(value, chart, path)
        return
    wanted = chart.types.get(path, here.kind)
    if value is not None and (wrong := kinds.wrong(value, wanted, path[-1])):
        yield Problem(path, "type", f"{wrong} ({chart.tree.name})")
    elif here.enum and value not in here.enum and value is not None:
        yield Problem(path, "type", f"found {value!r}, allowed: {', '.join(map(str, here.enum))} ({chart.tree.name})")


def _dead(path: Path, chart: Known) -> Problem | None:
    """Whether a path was once, or does nothing."""
    tree, said = chart.tree, keys.join(path)
    if path in chart.renamed:
        new = keys.join(chart.renamed[path])
        return Problem(path, "renamed", f"{tree.name} has renamed {said!r}; write {new!r}")
    if path in tree.removed:
        return Problem(path, "removed", f"{tree.name} refuses {said!r}, which was removed; take it away")
    if path in chart.gone:
        return Problem(
            path,
            "gone",
            f"{tree.name} has no {said!r} any more, as {chart.since or 'an earlier version'} had; take it away",
        )
    if path in tree.never_read or path in tree.unused_helpers_read:
        return Problem(path, "unread", f"no template of {tree.name} reads {said!r}, so it does nothing; take it away")
    return None


def _free(path: Path, chart: Known) -> bool:
    """Whether anything may stand at a path: below what is open, or copied, or known to templates alone."""
    tree = chart.tree
    if path in tree.template_only:
        return path not in tree.inner
    if path in tree.known or path in tree.inner:
        return False
    if path[:-1] in tree.passthrough and path[:-1] not in tree.open and _slips(path, chart):
        return False
    unrecorded: set[Path] = {(one.key,) for one in tree.subcharts if not one.recorded}
    return any(_holds(prefix, chart, unrecorded) for prefix in (path[:depth] for depth in range(1, len(path))))


def _slips(path: Path, chart: Known) -> bool:
    """Whether a key that may be new is one letter away from one that is there; then nobody meant a new one."""
    beside = chart.tree.inner.get(path[:-1], ())
    plain = len(path[-1]) >= _LETTERS and not any(letter.isdigit() for letter in path[-1])
    return plain and any(keys.distance(path[-1], one) == 1 for one in beside)


def _holds(prefix: Path, chart: Known, unrecorded: set[Path]) -> bool:
    tree = chart.tree
    sets: tuple[Paths | set[Path], ...] = (tree.open, tree.passthrough, unrecorded)
    return any(prefix in one for one in sets) or (prefix in tree.template_only and prefix not in tree.inner)


def _unknown(path: Path, chart: Known) -> Problem:
    tree = chart.tree
    depth = next(depth for depth in range(len(path)) if path[: depth + 1] not in tree.inner)
    beside = {key for key in tree.inner[path[:depth]] if (*path[:depth], key) not in chart.dead}
    near = [(*path[:depth], key) for key in keys.nearest(path[depth], beside)] or _elsewhere(path, chart)
    hint = f"; did you mean {' or '.join(repr(keys.join(one)) for one in near)}?" if near else ""
    strict = "" if path[:depth] in tree.strict else ", and would ignore it"
    return Problem(
        path[: depth + 1], "unknown", f"{tree.name} has no value {keys.join(path[: depth + 1])!r}{strict}{hint}"
    )


def _elsewhere(path: Path, chart: Known) -> list[Path]:
    """Where the same last key stands, if that is one place alone."""
    found = [known for known in chart.tree.values if known[-1] == path[-1] and known not in chart.dead]
    return found if len(found) == 1 else []


def _off(values: Mapping[str, Any], whole: Mapping[str, Any], chart: Known) -> Iterator[Problem]:
    for one in chart.tree.subcharts:
        conditions = {keys.split(path) for path in one.conditions}
        set_here = values.get(one.key)
        if not isinstance(set_here, Mapping) or is_on(one, whole):
            continue
        if any((one.key, key) not in conditions | chart.dead for key in set_here):
            switch = one.conditions[0]
            yield Problem((one.key,), "off", f"the subchart {one.name!r} is off by {switch!r}, so these do nothing")
