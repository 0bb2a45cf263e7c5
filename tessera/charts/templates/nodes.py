"""The tree of a Go template: expressions, and blocks with what stands in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tessera.charts.templates.tokens import Token, actions, tokens

BLOCKS = ("if", "with", "range", "define", "block")


@dataclass(frozen=True)
class Expression:
    """op: text, number, dot, variable, field, call or pipe. name: its text; of: what a field or a call is of."""

    op: str
    name: str = ""
    of: tuple[Expression, ...] = ()


NOTHING = Expression("number")


@dataclass
class Node:
    """A block, or an action in one. names: variables that it declares; declares: `:=`, not `=`."""

    kind: str
    expression: Expression = NOTHING
    names: tuple[str, ...] = ()
    declares: bool = True
    body: list[Node] = field(default_factory=list)
    other: list[Node] = field(default_factory=list)


def parse(template: str) -> list[Node]:
    """The nodes of a template. One that does not close its blocks is taken as far as it goes."""
    top: list[Node] = []
    open_: list[tuple[Node, list[Node]]] = []
    here = top
    for action in actions(template):
        words = tokens(action.text)
        first = words[0].text if words and words[0].kind == "word" else ""
        if first == "end":
            here = open_.pop()[1] if open_ else top
        elif first == "else" and open_:
            node, outer = open_[-1]
            here = node.other
            if len(words) > 1:  # else if, else with: closed by the same end
                inner = _node(words[1:])
                here.append(inner)
                open_[-1] = (inner, outer)
                here = inner.body
        elif words:
            node = _node(words)
            here.append(node)
            if node.kind in BLOCKS:
                open_.append((node, here))
                here = node.body
    return top


def _node(words: Sequence[Token]) -> Node:
    kind = words[0].text if words[0].kind == "word" and words[0].text in (*BLOCKS, "template") else "action"
    rest = list(words[1:] if kind != "action" else words)
    names, declares = [], True
    at = next((at for at, word in enumerate(rest) if word.kind in {"declare", "assign"}), None)
    if at is not None and all(word.kind in {"variable", "comma"} for word in rest[:at]):
        names = [word.text for word in rest[:at] if word.kind == "variable"]
        declares = rest[at].kind == "declare"
        rest = rest[at + 1 :]
    if kind in {"template", "block", "define"}:
        rest = [Token("word", "include", True), *rest]
    return Node(kind, _Parser(rest).pipeline(), tuple(names), declares)


class _Parser:
    """Reads one pipeline from words."""

    def __init__(self, words: Sequence[Token]) -> None:
        self.words = list(words)
        self.at = 0

    def _next(self) -> Token | None:
        return self.words[self.at] if self.at < len(self.words) else None

    def pipeline(self) -> Expression:
        found = self._command(None)
        while (word := self._next()) and word.kind == "pipe":
            self.at += 1
            found = self._command(found)
        return found

    def _command(self, piped: Expression | None) -> Expression:
        parts: list[Expression] = []
        while (word := self._next()) and word.kind not in {"pipe", "close"}:
            self.at += 1
            parts.append(self._fields(self._operand(word)))
        if not parts:
            return piped or NOTHING
        first, *arguments = parts
        if piped is not None:
            arguments.append(piped)
        if first.op == "call" and not first.of:
            return Expression("call", first.name, tuple(arguments))
        return first if not arguments else Expression("call", "call", (first, *arguments))

    def _operand(self, word: Token) -> Expression:
        if word.kind == "open":
            found = self.pipeline()
            if (closing := self._next()) and closing.kind == "close":
                self.at += 1
            return Expression("pipe", of=(found,))
        if word.kind == "string":
            return Expression("text", _text(word.text))
        if word.kind == "field":
            return Expression("field", word.text[1:], (Expression("dot"),))
        if word.kind in {"dot", "variable"}:
            return Expression(word.kind, word.text)
        if word.kind == "word" and word.text not in {"true", "false", "nil"}:
            return Expression("call", word.text)
        return Expression("number", word.text)

    def _fields(self, found: Expression) -> Expression:
        while (word := self._next()) and word.kind == "field" and not word.spaced:
            self.at += 1
            found = Expression("field", word.text[1:], (found,))
        return found


def _text(quoted: str) -> str:
    if quoted.startswith("`"):
        return quoted[1:-1]
    try:
        said: Any = json.loads(quoted)
    except ValueError:
        said = quoted[1:-1]
    return str(said)
