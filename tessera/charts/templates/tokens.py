"""Tokens of a Go template: text between `{{` and `}}` is cut into actions, and an action into words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_ACTION = re.compile(
    r"\{\{-?\s*(/\*.*?\*/|(?:\"(?:[^\"\\]|\\.)*\"|`[^`]*`|'(?:[^'\\]|\\.)*'|[^\"`'}]|\}(?!\}))*?)\s*-?\}\}", re.DOTALL
)
_TOKEN = re.compile(
    r"""\s+|(?P<string>"(?:[^"\\]|\\.)*"|`[^`]*`)|(?P<char>'(?:[^'\\]|\\.)*')|(?P<declare>:=)|(?P<assign>=)"""
    r"""|(?P<pipe>\|)|(?P<comma>,)|(?P<open>\()|(?P<close>\))|(?P<number>[-+]?\d[\w.+-]*)"""
    r"""|(?P<field>\.[A-Za-z_]\w*)|(?P<dot>\.)|(?P<variable>\$\w*)|(?P<word>[A-Za-z_]\w*)"""
)


class Token(NamedTuple):
    """One word of an action. spaced: whether a space stands before it; a field that follows without is of it."""

    kind: str
    text: str
    spaced: bool


class Action(NamedTuple):
    """What stands between braces, and the text before it."""

    text: str
    before: str


def actions(template: str) -> Iterator[Action]:
    """All actions, in order; comments are left out."""
    at = 0
    for match in _ACTION.finditer(template):
        if not match[1].startswith("/*"):
            yield Action(match[1], template[at : match.start()])
        at = match.end()


def tokens(action: str) -> list[Token]:
    """The words of an action; what is no word is passed over."""
    found, at, spaced = [], 0, True
    while at < len(action):
        match = _TOKEN.match(action, at)
        if match is None:
            at += 1
            continue
        at = match.end()
        if match.lastgroup:
            found.append(Token(match.lastgroup, match[0], spaced))
        spaced = match.lastgroup is None
    return found
