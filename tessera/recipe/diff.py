"""The difference of two recipes, as people read it: what changes, and on which nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tessera.recipe import canonical, paths
from tessera.recipe.resolved import Component, Pool, ResolvedRecipe

_NONE: Any = object()


@dataclass(frozen=True)
class Change:
    """One difference. before, after: None where there is nothing; pool, nodes: whose, and on how many.

    path: of the value in the recipe; text: a line to read.
    """

    path: str
    before: Any
    after: Any
    text: str
    pool: str | None = None
    nodes: int = 0


def diff(old: ResolvedRecipe, new: ResolvedRecipe) -> list[Change]:
    """All changes: the cluster's first, then components in their order, then pool after pool."""
    found = [*_tree(("criteria",), old.criteria, new.criteria, "cluster: ")]
    found += _components(old, new)
    found += _tree(("control_plane",), old.control_plane, new.control_plane, "control plane: ")
    found += _tree(("constraints",), old.constraints, new.constraints, "constraint ")
    found += _tree(("artifacts",), _fetched(old), _fetched(new), "to fetch: ")
    return found + _pools(old, new)


def _fetched(recipe: ResolvedRecipe) -> dict[str, Any]:
    """Without charts, whose components tell their change already."""
    return {kind: value for kind, value in recipe.artifacts.items() if kind != "charts"}


def _components(old: ResolvedRecipe, new: ResolvedRecipe) -> Iterator[Change]:
    before, after = ({one.name: one for one in recipe.components} for recipe in (old, new))
    for name, gone in before.items():
        if name not in after:
            yield Change(_path("components", name), gone.version, None, f"component {name} removed: {_named(gone)}")
    for name, one in after.items():
        if name not in before:
            yield Change(_path("components", name), None, one.version, f"component {name} added: {_named(one)}")
        else:
            yield from _tree(("components", name), before[name].document(), one.document(), f"component {name}: ")
    kept = [[name for name in names if name in before and name in after] for names in (before, after)]
    if kept[0] != kept[1]:
        text = f"order of components: {', '.join(kept[0])} -> {', '.join(kept[1])}"
        yield Change("components", kept[0], kept[1], text)


def _named(component: Component) -> str:
    return f"{component.chart} {component.version} in namespace {component.namespace}"


def _pools(old: ResolvedRecipe, new: ResolvedRecipe) -> list[Change]:
    before, after = ({one.name: one for one in recipe.pools} for recipe in (old, new))
    found: list[Change] = []
    for name in sorted({*before, *after}):
        left, right = before.get(name), after.get(name)
        if left and right:
            found += _pool(left, right)
        elif left:
            said = f"pool {name} removed: {_nodes(left.size)}"
            found.append(Change(_path("pools", name), left.size, None, said, name, left.size))
        elif right:
            said = f"pool {name} added: {_nodes(right.size)}"
            found.append(Change(_path("pools", name), None, right.size, said, name, right.size))
    return found


def _pool(old: Pool, new: Pool) -> Iterator[Change]:
    at, where = ("pools", new.name), f"pool {new.name}"
    on = f"on {_nodes(new.size)} of pool {new.name}: "
    if old.size != new.size:
        said = f"{where}: {old.size} -> {_nodes(new.size)}"
        yield Change(_path(*at, "size"), old.size, new.size, said, new.name, new.size)
    if old.machine != new.machine:
        said = f"{where}: machine {old.machine or 'none'} -> {new.machine or 'none'}"
        yield Change(_path(*at, "machine"), old.machine, new.machine, said, new.name, new.size)
    yield from _tree((*at, "criteria"), old.criteria, new.criteria, f"{where}: ", new)
    yield from _tree((*at, "hosts"), old.hosts, new.hosts, on, new)
    yield from _tree((*at, "constraints"), old.constraints, new.constraints, f"{on}constraint ", new)


def _nodes(count: int) -> str:
    return "1 node" if count == 1 else f"{count} nodes"


def _tree(at: paths.Path, old: Any, new: Any, where: str, pool: Pool | None = None) -> Iterator[Change]:
    """Changes of leaves; a leaf's words are its path below `at`, where a thing's version is the thing itself."""
    for path, before, after in _leaves((), old, new):
        words = path[:-1] if len(path) > 1 and path[-1] == "version" else path
        text = f"{where}{paths.text(words)} {shown(before)} -> {shown(after)}"
        values = (None if before is _NONE else before, None if after is _NONE else after)
        yield Change(_path(*at, *path), *values, text, pool.name if pool else None, pool.size if pool else 0)


def _leaves(path: paths.Path, old: Any, new: Any) -> Iterator[tuple[paths.Path, Any, Any]]:
    maps = [isinstance(side, Mapping) or side is _NONE for side in (old, new)]
    if all(maps) and not (old is _NONE and new is _NONE):
        left, right = ({} if side is _NONE else side for side in (old, new))
        if left or right:
            for key in sorted({*left, *right}):
                yield from _leaves((*path, key), left.get(key, _NONE), right.get(key, _NONE))
            return
        if (old is _NONE) == (new is _NONE):
            return
    if old is _NONE or new is _NONE or not canonical.same(old, new):
        yield path, old, new


def shown(value: Any) -> str:
    """A value as the text of a change has it."""
    if value is _NONE or value is None:
        return "none"
    return value if isinstance(value, str) and value else canonical.text(value)


def _path(*path: str) -> str:
    return paths.text(path)
