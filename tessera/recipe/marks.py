"""YAML with line marks.

Stricter than YAML: a key stands once and is text, there are no anchors, dates or tags of one's own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import yaml

from tessera.recipe.marked import Marked

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CORE = {f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null")}


@dataclass
class _Reader:
    file: str
    problems: list[str] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    scalars: Any = field(default_factory=yaml.constructor.SafeConstructor)

    def wrong(self, node: yaml.Node, what: str) -> None:
        self.problems.append(f"{self.file}:{node.start_mark.line + 1}: {what}")

    def marked(self, node: yaml.Node, line: int) -> Marked:
        if isinstance(node, yaml.MappingNode):
            return Marked({key: self.marked(value, at) for key, value, at in self.pairs(node)}, line)
        if isinstance(node, yaml.SequenceNode):
            items = node.value if self.first_time(node) else []
            return Marked([self.marked(item, item.start_mark.line + 1) for item in items], line)
        return Marked(self.scalar(node), line)

    def pairs(self, node: yaml.MappingNode) -> list[tuple[str, yaml.Node, int]]:
        if not self.first_time(node):
            return []
        found: dict[str, tuple[str, yaml.Node, int]] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if key.tag != "tag:yaml.org,2002:str" or not name:
                self.wrong(key, f"a key must be text, not empty; found {name!r}; write it in quotes")
            elif name in found:
                self.wrong(key, f"key {name!r} stands twice; first on line {found[name][2]}")
            else:
                found[name] = (name, value, key.start_mark.line + 1)
        return list(found.values())

    def first_time(self, node: yaml.Node) -> bool:
        """An alias gives one node twice, and could give a node that holds itself."""
        if id(node) in self.seen:
            self.wrong(node, "anchors and aliases are not read; write the value out")
            return False
        self.seen.add(id(node))
        return True

    def scalar(self, node: yaml.Node) -> Any:
        if node.tag not in _CORE:
            self.wrong(node, f"found {node.value!r}, a {node.tag.rpartition(':')[2]}; write it in quotes")
            return ""
        try:
            value = self.scalars.construct_object(node)
        except (yaml.YAMLError, ValueError):
            value = math.nan
        unusual = isinstance(value, float) and not math.isfinite(value)
        if unusual or (type(value) is int and ":" in node.value):
            self.wrong(node, f"found {node.value!r}, which YAML takes for an unusual number; write it in quotes")
            return ""
        return value


def read(text: str, file: str) -> tuple[Marked, list[str]]:
    """What a YAML text holds, and every problem with it, each with file and line."""
    reader = _Reader(file)
    try:
        node = yaml.compose(text, Loader=_Loader)
        root = Marked(None, 1) if node is None else reader.marked(node, 1)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        return Marked(None, 1), [f"{file}:{line}: is not YAML: {error.problem or error.context}"]
    except yaml.YAMLError as error:
        return Marked(None, 1), [f"{file}: is not YAML: {' '.join(str(error).split())}"]
    except RecursionError:
        return Marked(None, 1), [f"{file}: is nested too deeply"]
    return root, reader.problems
