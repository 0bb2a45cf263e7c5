"""Components: what runs on the cluster, from the merged values; what lacks a name, a chart or a version is told."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tessera import naming
from tessera.errors import TesseraError
from tessera.recipe import fields
from tessera.recipe.merge import GONE, Node
from tessera.recipe.order import order
from tessera.recipe.resolved import Component
from tessera.recipe.writes import Write


@dataclass(frozen=True)
class Components:
    """In order, those that run; by name, those that a layer switched off."""

    running: tuple[Component, ...]
    off: frozenset[str]


def components(root: Node, known: Collection[str], problems: list[str]) -> Components:
    """From the node of all components. known: every name that any layer has; problems are added to the list."""
    rendered = {name: value for name, node in root.below.items() if (value := node.render()) is not GONE}
    off = frozenset(name for name, value in rendered.items() if value.get("enabled") is False)
    running = {name: value for name, value in rendered.items() if name not in off}
    for name, value in running.items():
        if name in known:  # else whoever looks at overrides says so
            problems += _missing(name, value, root.below[name], running)
    after = {name: tuple(value.get("after", ())) for name, value in running.items()}
    wrong = [problem for name in after for problem in _after(name, after, off, known, root.below[name])]
    problems += wrong
    # A component that a layer switched off, with a reason, keeps nobody waiting.
    waits = {name: tuple(one for one in befores if one in running) for name, befores in after.items()}
    try:
        names = order(waits)
    except TesseraError as error:
        problems.append(str(error))
        names = []
    made = [] if problems else [_component(name, running[name], waits[name]) for name in names]
    return Components(tuple(made), off)


def _component(name: str, value: Mapping[str, Any], after: tuple[str, ...]) -> Component:
    said = {key: found for key, found in value.items() if key not in {"enabled", "after"}}
    return Component(name=name, after=after, **said)


def _missing(name: str, value: Mapping[str, Any], node: Node, running: Mapping[str, Any]) -> Iterator[str]:
    missing = [field for field in fields.REQUIRED if field not in value]
    if not missing:
        return
    write = next(found.history[-1][0] for found in node.alive())
    whole = [other for other, one in running.items() if all(field in one for field in fields.REQUIRED)]
    said = f"{write.origin.place}: components.{name}: no layer that applies sets its {', '.join(missing)}"
    if len(missing) == len(fields.REQUIRED):
        said += f"; {naming.unknown('component of this stack', name, whole)}"
    yield said


def _after(
    name: str, after: Mapping[str, tuple[str, ...]], off: Collection[str], known: Collection[str], node: Node
) -> Iterator[str]:
    place = node.below["after"].history[-1][0].origin.place if "after" in node.below else ""
    for before in after[name]:
        if before in after or before in off:
            continue
        if before in known:
            yield (
                f"{place}: components.{name}.after: {before!r} is no component of this stack: no layer that applies "
                "sets it; append the name in the layer that does, or have one say `enabled: false`"
            )
        else:
            yield f"{place}: components.{name}.after: {naming.unknown('component', before, known)}"


def identities(writes: Collection[Write]) -> list[str]:
    """Identity fields that are set more than once. writes: all that apply, to any pool, each once."""
    first: dict[tuple[str, ...], Write] = {}
    problems = []
    for write in writes:
        section, *rest = write.path
        if section != "components" or len(rest) != 2 or rest[1] not in fields.IDENTITY:
            continue
        before = first.setdefault(write.path, write)
        if before is not write:
            problems.append(
                f"{write.origin.place}: {'.'.join(write.path)}: {write.value!r}, but {before.origin.place} "
                f"({before.origin.layer}) has set it to {before.value!r}; what a component is, one layer says, once"
            )
    return problems
