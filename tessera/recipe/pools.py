"""Pools: one tree for the cluster from what each kind of pool sees; where two disagree, both are named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tessera.recipe import canonical, paths
from tessera.recipe.fields import IDENTITY
from tessera.recipe.merge import GONE, Node, appended
from tessera.recipe.paths import Path
from tessera.recipe.views import View
from tessera.recipe.writes import Write

Seen = tuple[str, Node]
"""A place as some pools see it, with their label."""


def agree(views: Sequence[View]) -> tuple[Node, list[str]]:
    """The cluster's values, and every value that two pools set differently."""
    if len(views) == 1:
        return views[0].shared.root, []
    problems: list[str] = []
    return _agree([(view.label, view.shared.root) for view in views], (), problems), problems


def _agree(seen: Sequence[Seen], path: Path, problems: list[str]) -> Node:
    # What layers of cluster scope wrote is the same for all pools, so only where others wrote can views differ.
    touched = [(label, node) for label, node in seen if node.touched]
    if len(touched) < 2:
        return (touched or seen)[0][1]
    found = Node()
    found.touched = True
    said = _level(touched, path, found)
    if said:
        if not (len(path) == 3 and path[0] == "components" and path[2] in IDENTITY):
            problems.append(said)  # whoever checks identities tells those
        return touched[0][1]  # so that nothing else seems to be missing
    for key in dict.fromkeys(key for _, node in touched for key in node.below):
        inner = [(label, node.below[key]) for label, node in touched if key in node.below]
        found.below[key] = _agree(inner, (*path, key), problems)
    return found


def _level(seen: Sequence[Seen], path: Path, found: Node) -> str:
    """Fills what stands at a path itself; says what two pools disagree on."""
    claims = [(label, node, claim) for label, node in seen if (claim := _claim(node))]
    if not claims:
        fullest = max((node for _, node in seen), key=lambda node: len(node.history))
        found.history, found.value = fullest.history, fullest.value
        return ""
    first = claims[0]
    if all(write.kind == "append" for *_, claim in claims for write in claim):
        _unite(found, [node for _, node, _ in claims])
    else:
        other = next((claim for claim in claims[1:] if not _same(first[1], claim[1])), None)
        if other:
            return _conflict(path, (first[0], first[1], first[2][-1]), (other[0], other[1], other[2][-1]))
        last = max(claims, key=lambda claim: claim[2][-1].at)[1]
        found.history, found.value = last.history, last.value
    return _structure(seen, claims, path)


def _structure(seen: Sequence[Seen], claims: Sequence[tuple[str, Node, list[Write]]], path: Path) -> str:
    """Says where one pool has a value or nothing at all, and another one keys below."""
    for label, node, claim in claims:
        closed = node.is_leaf or (node.value is GONE and not any(_claimed(node)))
        for other, place in seen if closed else ():
            inner = next(_claimed(place), None) if other != label else None
            if inner:
                return _conflict(path, (label, node, claim[-1]), (other, inner, _claim(inner)[-1]))
    return ""


def _claimed(node: Node) -> Iterator[Node]:
    return (inner for below in node.below.values() for inner in below.alive() if _claim(inner))


def _claim(node: Node) -> list[Write]:
    """The writes of pool scope that no later layer of cluster scope has overruled, oldest first."""
    found: list[Write] = []
    for write, _ in reversed(node.history):
        if write.pool:
            found.append(write)
        elif write.kind != "append":
            break
    return found[::-1]


def _same(left: Node, right: Node) -> bool:
    if left.value is GONE or right.value is GONE:
        return left.value is right.value
    return canonical.same(left.value, right.value)


def _unite(found: Node, nodes: Sequence[Node]) -> None:
    """Appending is adding: what each of the pools adds is there, in the order of merging."""
    writes = {id(write): write for node in nodes for write, _ in node.history}
    for write in sorted(writes.values(), key=lambda write: write.at):
        before = [] if found.value is GONE else found.value
        outcome = {"set": write.value, "delete": GONE, "empty": {}}
        found.put(write, appended(before, write.value) if write.kind == "append" else outcome[write.kind])


def _conflict(path: Path, left: tuple[str, Node, Write], right: tuple[str, Node, Write]) -> str:
    def side(label: str, node: Node, write: Write) -> str:
        value = "nothing" if node.value is GONE else canonical.text(node.value)
        below = write.path[len(path) :]
        inside = f" at {paths.text(below)}" if below and write.kind != "delete" else ""
        return f"{label} wants {value}{inside} ({write.origin.layer}, {write.origin.place})"

    return (
        f"{paths.text(path)}: two pools set one value of the cluster differently: {side(*left)}, {side(*right)}; "
        "set it in the stack's overrides, or make the pools alike"
    )
