"""Nodes of a YAML file, turned into plain values."""

from __future__ import annotations

from typing import Any

import yaml

from tessera.spec.problem import Path, Problem, quoted, short, show_path
from tessera.spec.scalar import NEWER_NUMBER, NO_NUMBER, plain
from tessera.spec.secret import Secret

PREFIX = "tessera:"
DEEPEST = 40
"""Levels of nesting; no stack file needs more."""
LARGEST = 2_000_000
"""Values of a file with its aliases written out; a few lines of aliases can stand for billions."""

_TAG = "tag:yaml.org,2002:"
_TAGS = {"str", "int", "float", "bool", "null", "timestamp", "merge", "value", "map", "seq"}
_SECURE = "secure"

type Entries = dict[str, tuple[yaml.Node, yaml.Node]]


class Reader:
    """Reads nodes; what is wrong with them is collected in problems."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._entries: dict[int, Entries] = {}
        self._values: dict[int, tuple[Any, int]] = {}
        self._open: set[int] = set()

    def value(self, node: yaml.Node, path: Path) -> Any:
        """The plain value of a node; an encrypted leaf is a Secret."""
        value, size = self._sized(node, path)
        if size > LARGEST:
            self._refuse(node, path, f"stands for more than {LARGEST} values; write out what aliases repeat")
            return None
        return value

    def entries(self, node: yaml.MappingNode, path: Path) -> Entries:
        """Keys of a mapping with the node of the key and of the value; merged mappings (<<) come last."""
        if (known := self._entries.get(id(node))) is not None:
            return known
        found: Entries = {}
        merged: Entries = {}
        for key, inner in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._refuse(key, path, "has a key that is a list or a mapping; allowed: a text")
            elif key.tag == f"{_TAG}merge":
                merged |= self._merged(inner, path)
            elif key.value in found:
                first = found[key.value][0].start_mark.line + 1
                self._twice(key, path, first)
            else:
                found[key.value] = (key, inner)
        found = found | {key: pair for key, pair in merged.items() if key not in found}
        self._entries[id(node)] = found
        return found

    def line(self, mark: yaml.Node, node: yaml.Node, path: Path) -> int:
        """The line of what a path below a node leads to, or else of the last thing on the way, which has mark."""
        for part in path:
            if isinstance(node, yaml.MappingNode) and str(part) in (entries := self.entries(node, ())):
                mark, node = entries[str(part)]
            elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
                mark = node = node.value[part]
            else:
                break
        return line_of(mark)

    def _twice(self, key: yaml.ScalarNode, path: Path, first: int) -> None:
        said = f"is there twice, first in line {first}; keep one"
        if path or key.value.startswith(PREFIX):
            self._refuse(key, (*path, key.value if path else key.value.removeprefix(PREFIX)), said)
        else:
            self._refuse(key, (), f"{short(key.value)}: {said}")

    def _merged(self, node: yaml.Node, path: Path) -> Entries:
        if id(node) in self._open:
            self._refuse(node, path, "contains itself")
            return {}
        self._open.add(id(node))
        parts = node.value if isinstance(node, yaml.SequenceNode) else [node]
        found: Entries = {}
        for part in parts:
            if isinstance(part, yaml.MappingNode):
                found = self.entries(part, path) | found
            else:
                self._refuse(part, path, "merges (<<) what is no mapping")
        self._open.discard(id(node))
        return found

    def _sized(self, node: yaml.Node, path: Path) -> tuple[Any, int]:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, path), 1
        if (known := self._values.get(id(node))) is not None:
            return known
        if id(node) in self._open or len(path) > DEEPEST:
            self._refuse(node, path, "contains itself" if id(node) in self._open else f"is nested over {DEEPEST} deep")
            return None, 1
        self._untagged(node, path)
        self._open.add(id(node))
        read = self._mapping(node, path) if isinstance(node, yaml.MappingNode) else self._list(node, path)
        self._open.discard(id(node))
        self._values[id(node)] = read
        return read

    def _mapping(self, node: yaml.MappingNode, path: Path) -> tuple[Any, int]:
        entries = self.entries(node, path)
        rows = {key: self._sized(inner, (*path, key)) for key, (_, inner) in entries.items()}
        if len(rows) == 1 and isinstance(rows.get(_SECURE, (None,))[0], str):
            return Secret(show_path(path)), 1
        return {key: value for key, (value, _) in rows.items()}, 1 + sum(size for _, size in rows.values())

    def _list(self, node: yaml.Node, path: Path) -> tuple[Any, int]:
        rows = [self._sized(inner, (*path, at)) for at, inner in enumerate(node.value)]
        return [value for value, _ in rows], 1 + sum(size for _, size in rows)

    def _scalar(self, node: yaml.ScalarNode, path: Path) -> Any:
        self._untagged(node, path)
        if node.style or (node.tag == f"{_TAG}str" and not NEWER_NUMBER.fullmatch(node.value)):
            return node.value
        if node.tag == f"{_TAG}timestamp" or NO_NUMBER.fullmatch(node.value):
            self._refuse(
                node, path, f"found {node.value}, which the engine reads in a way of its own; put it in quotes"
            )
            return node.value
        return plain(node.value)

    def _untagged(self, node: yaml.Node, path: Path) -> None:
        if node.tag.removeprefix(_TAG) not in _TAGS:
            self._refuse(node, path, f"has the tag {quoted(node.tag)}; allowed: none")

    def _refuse(self, node: yaml.Node, path: Path, text: str) -> None:
        self.problems.append(Problem(path, text, line_of(node)))


def line_of(node: yaml.Node) -> int:
    """The line where a node begins, counted from 1."""
    return int(node.start_mark.line) + 1
