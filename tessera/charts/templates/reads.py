"""Reads: every place of the values that templates look at, followed through variables, with, range and include."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tessera.charts.keys import Path
from tessera.charts.templates import meaning as means
from tessera.charts.templates.meaning import NONE, ROOT, At, Made, Meaning, Root, Text
from tessera.charts.templates.nodes import BLOCKS, Expression, Node, parse

FLOWS = {
    "default", "coalesce", "ternary", "deepCopy", "mustDeepCopy", "merge", "mustMerge", "mergeOverwrite",
    "mustMergeOverwrite", "omit", "pick", "and", "or", "uniq", "compact", "concat", "append", "prepend", "sortAlpha",
    "reverse", "first", "last", "initial", "rest", "tuple", "without", "mustUniq",
}  # fmt: skip
"""Functions that hand on what they are given."""

COPIES = {"toYaml", "toJson", "toPrettyJson", "toRawJson", "toToml", "mustToYaml", "mustToJson", "toYamlPretty"}
"""Functions that write a whole map out, so that further keys reach the object."""

ASKS = {"not", "empty", "kindIs", "kindOf", "typeIs", "typeOf", "hasKey", "len"}
"""Functions that look at a place without looking below it."""


@dataclass
class Reads:
    """What was found. whole: read as it is, with all below; asked: only looked at; copied: written out as a map.

    refusals: kind and the places that decide, in order; guards: places of which each leads to a refusal
    where it is set; guarded: all that the conditions of refusals look at.
    """

    whole: set[Path] = field(default_factory=set)
    asked: set[Path] = field(default_factory=set)
    copied: set[Path] = field(default_factory=set)
    refusals: list[tuple[str, tuple[Path, ...]]] = field(default_factory=list)
    guards: set[Path] = field(default_factory=set)
    guarded: set[Path] = field(default_factory=set)


Scope = dict[str, Meaning]


class Reader:
    """Reads templates. helpers: by name, the nodes of each define; called: those that somebody includes."""

    def __init__(self, helpers: Mapping[str, list[Node]]) -> None:
        self.helpers = helpers
        self.called: set[str] = set()
        self.reads = Reads()
        self._seen: dict[tuple[str, Meaning], Meaning] = {}
        self._why: list[tuple[Path, ...]] = []
        self._touched: set[Path] = set()
        self._muted = False

    def template(self, nodes: Iterable[Node]) -> None:
        """All that a file's nodes read."""
        self._nodes(nodes, ROOT, {"$": ROOT})

    def _nodes(self, nodes: Iterable[Node], dot: Meaning, scope: Scope) -> None:
        for node in nodes:
            self._node(node, dot, scope)

    def _node(self, node: Node, dot: Meaning, scope: Scope) -> None:
        if node.kind == "define":
            return
        if node.kind in {"action", "template", "block"}:
            found = self._value(node.expression, dot, scope)
            if node.names:
                self._bind(node, found, scope)
            else:
                self._use(found)
            return
        fails = any(_fails(inside.expression) for inside in node.body)
        touched, found = self._condition(node.expression, dot, scope, fails)
        inner, inner_dot = dict(scope), dot
        if node.kind == "range":
            self._copy(frozenset(one for one in found if not isinstance(one, Made)))
            inner_dot = _items(found)
        elif node.kind == "with":
            inner_dot = found
        for name in node.names:
            inner[name] = inner_dot
        other = {**scope, **dict.fromkeys(node.names, found)}
        self._why.append(touched)
        muted, self._muted = self._muted, self._muted or fails
        self._nodes(node.body, inner_dot, inner)
        self._muted = muted
        self._nodes(node.other, dot, other)
        self._why.pop()
        scope.update({name: inner[name] | other[name] | scope[name] for name in scope if name not in node.names})

    def _condition(self, said: Expression, dot: Meaning, scope: Scope, fails: bool) -> tuple[tuple[Path, ...], Meaning]:
        """The places that a condition looks at, and what it stands for."""
        self._touched = set()
        muted, self._muted = self._muted, self._muted or fails
        found = self._value(said, dot, scope)
        self._look(found)
        self._muted = muted
        if fails:
            self.reads.guarded |= self._touched
            alone = said.name not in {"and", "not"} or len(self._touched) == 1
            self.reads.guards.update(path for path in means.places(found) if path and alone)
        return tuple(sorted(self._touched)), found

    def _bind(self, node: Node, found: Meaning, scope: Scope) -> None:
        for name in node.names:
            scope[name] = found if node.declares else scope.get(name, NONE) | found

    def _value(self, said: Expression, dot: Meaning, scope: Scope) -> Meaning:
        if said.op == "text" or (said.op == "number" and said.name.isdigit()):
            return frozenset({Text(said.name)})
        if said.op == "dot":
            return dot
        if said.op == "variable":
            return scope.get(said.name, NONE)
        if said.op == "pipe":
            return self._value(said.of[0], dot, scope)
        if said.op == "field":
            return means.below(self._value(said.of[0], dot, scope), said.name)
        return self._call(said, dot, scope) if said.op == "call" else NONE

    def _call(self, said: Expression, dot: Meaning, scope: Scope) -> Meaning:
        name, muted = said.name, self._muted
        self._muted = muted or name == "fail"  # what a message tells is no use of a value
        given = [self._value(one, dot, scope) for one in said.of]
        self._muted = muted
        if name == "include" and given:
            return NONE if _is_file(said.of[0]) else self._include(given)
        if name == "tpl":  # it may look at anything, but only where a value says so
            given = given[:1]
        if name == "dict":
            pairs = zip(given[::2], given[1::2], strict=False)
            return means.made((text, value) for key, value in pairs for text in means.texts(key) or ["*"])
        if name == "list":
            return means.made((str(place), value) for place, value in enumerate(given))
        if name in {"index", "get", "dig", "hasKey"}:
            return self._index(name, given)
        return self._other(name, given)

    def _other(self, name: str, given: list[Meaning]) -> Meaning:
        whole = frozenset(one for part in given for one in part)
        if name in FLOWS:
            return whole
        if name in {"required", "fail"}:
            asked = tuple(sorted({place for part in given for place in means.places(part)}))
            around = tuple(place for places in self._why for place in places)
            self.reads.refusals.append((name, tuple(dict.fromkeys((*around, *asked)))))
            self._look(whole)
            return given[-1] if name == "required" and given else NONE
        if name in COPIES:
            self._copy(whole)
        elif name in ASKS:
            self._look(whole)
        else:
            self._use(whole)
        return NONE

    def _index(self, name: str, given: list[Meaning]) -> Meaning:
        if not given:
            return NONE
        found, path = given[0], given[1:]
        if name == "dig":
            found, path = given[-1], given[:-2]
        for key in path:
            names = means.texts(key)
            if not names:
                self._use(key)
                self._use(found)  # a computed name may be any
                return _items(found)
            if any(text.isdigit() for text in names):
                self._use(frozenset(one for one in found if isinstance(one, At)))  # an item of a list
                found = frozenset(one for one in found if isinstance(one, Made))
            found = frozenset(one for text in names for one in means.below(found, text))
        self._look(found)
        return found | (given[-2] if name == "dig" and len(given) > 1 else NONE)

    def _include(self, given: list[Meaning]) -> Meaning:
        context = given[1] if len(given) > 1 else NONE
        for name in means.texts(given[0]):
            if name in self.helpers:
                self.helper(name, context)
            else:
                self._use(context)
        if not means.texts(given[0]):
            self._use(context)
        return NONE

    def helper(self, name: str, context: Meaning) -> None:
        """All that a helper reads when it is included with a context."""
        self.called.add(name)
        if (name, context) not in self._seen:
            self._seen[(name, context)] = NONE
            self._nodes(self.helpers[name], context, {"$": context})

    def _look(self, found: Meaning) -> None:
        looked = {path for path in means.places(found) if path}
        self._touched |= looked
        if not self._muted:
            self.reads.asked |= looked

    def _use(self, found: Meaning) -> None:
        used = set(means.places(found)) | ({()} if Root() in found else set())
        self._touched |= used - {()}
        if not self._muted:
            self.reads.whole |= used

    def _copy(self, found: Meaning) -> None:
        self._use(found)
        self.reads.copied.update(means.places(found))


def _fails(said: Expression) -> bool:
    return said.op == "call" and (said.name == "fail" or any(map(_fails, said.of)))


def _is_file(said: Expression) -> bool:
    """Whether an include names a template's file, as those do that make a checksum of it; files are read anyway."""
    return said.name == "Template" or any(map(_is_file, said.of))


def _items(found: Meaning) -> Meaning:
    """What a range goes through: the parts of what the template made; items of a value are nobody's path."""
    return frozenset(part for one in found if isinstance(one, Made) for _, inner in one.parts for part in inner)


def helpers(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    """By name, what stands in each define or block, wherever it is."""
    found: dict[str, list[Node]] = {}
    for node in nodes:
        name = node.expression.of[0].name if node.expression.of else ""
        if node.kind in {"define", "block"} and name:
            found[name] = node.body
        if node.kind in BLOCKS:
            found |= helpers(node.body) | helpers(node.other)
    return found


def reads(templates: Mapping[str, str], library: Mapping[str, list[Node]]) -> tuple[Reads, Reads, dict[str, int]]:
    """What templates read, what helpers read that nobody calls, and how many refusals there were after each file.

    templates: by file; library: helpers of other charts of the same release.
    """
    parsed = {file: parse(text) for file, text in sorted(templates.items())}
    own: dict[str, list[Node]] = {}
    for nodes in parsed.values():
        own |= helpers(nodes)
    reader = Reader({**library, **own})
    counts: dict[str, int] = {}
    for file, nodes in parsed.items():
        reader.template(nodes)
        counts[file] = len(reader.reads.refusals)
    idle = Reader({**library, **own})
    for name in sorted(own.keys() - reader.called):
        idle.helper(name, ROOT)
    return reader.reads, idle.reads, counts
