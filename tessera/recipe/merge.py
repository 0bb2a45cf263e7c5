"""Merging: a tree in which every leaf remembers all that was ever written to it.

Mappings merge; lists and scalars replace; null deletes and is remembered; append adds to a list what it lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tessera.recipe import canonical, paths
from tessera.recipe.paths import Path
from tessera.recipe.writes import Write

GONE: Any = object()
"""The value of what is not there: never set, or deleted."""


class Node:
    """A place of the tree. history: what was written here, each with the value after it.

    below: by key; touched: whether a layer of pool scope wrote here or below.
    """

    __slots__ = ("below", "history", "touched", "value")

    def __init__(self) -> None:
        self.below: dict[str, Node] = {}
        self.history: list[tuple[Write, Any]] = []
        self.value: Any = GONE
        self.touched = False

    def put(self, write: Write, value: Any) -> None:
        """Remember one write and the value that it leaves."""
        self.history.append((write, value))
        self.value = value

    @property
    def is_leaf(self) -> bool:
        """Whether a value stands here; {} gives way to the keys of later layers, so it does not count."""
        return self.value is not GONE and self.value != {}

    def render(self) -> Any:
        """The plain value from here down, or GONE."""
        found = {key: value for key, node in self.below.items() if (value := node.render()) is not GONE}
        return found or self.value

    def nodes(self, path: Path = ()) -> Iterator[tuple[Path, Node]]:
        """Every node with a history, from here down, by path."""
        if self.history:
            yield path, self
        for key, node in self.below.items():
            yield from node.nodes((*path, key))

    def alive(self) -> Iterator[Node]:
        """Nodes that hold a value, from here down."""
        return (node for _, node in self.nodes() if node.value is not GONE)


class Tree:
    """Writes merged one after the other. problems: what did not fit."""

    def __init__(self, writes: Iterable[Write] = ()) -> None:
        self.root = Node()
        self.problems: list[str] = []
        for write in writes:
            self.apply(write)

    def apply(self, write: Write) -> None:
        """One more write."""
        node = self.root
        for depth, key in enumerate(write.path):
            if node.is_leaf and write.kind != "delete":
                self._clash(write, node, write.path[:depth])
                return
            node.touched |= write.pool
            node = node.below.setdefault(key, Node())
        node.touched |= write.pool
        if write.kind == "delete":
            _delete(node, write)
        elif write.kind == "empty":
            self._empty(node, write)
        elif clashing := next((inner for below in node.below.values() for inner in below.alive()), None):
            self._clash(write, clashing, write.path)
        elif write.kind == "append":
            self._append(node, write)
        elif node.value == {}:
            self._clash(write, node, write.path)
        else:
            node.put(write, write.value)

    def _empty(self, node: Node, write: Write) -> None:
        if node.is_leaf:
            self._clash(write, node, write.path)
        else:
            node.put(write, {})

    def _append(self, node: Node, write: Write) -> None:
        if node.value is GONE or isinstance(node.value, list):
            node.put(write, appended([] if node.value is GONE else node.value, write.value))
        else:
            self._clash(write, node, write.path)

    def _clash(self, write: Write, node: Node, path: Path) -> None:
        """Says that two layers disagree on what kind of thing stands at a path."""
        first = node.history[-1][0]
        wants = "a mapping" if len(write.path) > len(path) or write.kind == "empty" else _shown(write)
        has = "a mapping" if len(first.path) > len(path) or node.value == {} else f"{node.value!r}"
        self.problems.append(
            f"{write.origin.place}: {paths.text(path)}: sets {wants} where {first.origin.place} "
            f"({first.origin.layer}) has {has}; delete it with null first, or set the same kind of value"
        )


def _delete(node: Node, write: Write) -> None:
    for gone in {id(found): found for found in (*node.alive(), node)}.values():
        gone.put(write, GONE)


def _shown(write: Write) -> str:
    return f"{{append: {write.value!r}}}" if write.kind == "append" else f"{write.value!r}"


def appended(found: list[Any], more: list[Any]) -> list[Any]:
    """A list with what it did not hold yet at its end."""
    held = {canonical.text(item) for item in found}
    added = {canonical.text(item): item for item in more}
    return [*found, *(item for said, item in added.items() if said not in held)]
