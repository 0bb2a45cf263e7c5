"""What the API server refuses beyond types, and what this engine can't judge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tessera.dra.cel import program
from tessera.dra.cel.functions import FUNCTIONS
from tessera.dra.cel.regex import UnknownRegexError, compiled
from tessera.dra.cel.syntax import ANY, BOOL, OPTIONAL_MARK, Tree, nodes
from tessera.dra.cel.types import PARTS, UNKNOWN_HERE
from tessera.dra.cel.values import CelError

LONGEST = 10 * 1024
"""Bytes of an expression."""

NOT_KNOWN = "not known here: "
"""How a problem begins that is the limit of this engine, and maybe none for the API server."""

_STRING = re.compile(r"""[rR]?(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|//[^\n]*""", re.DOTALL)
_WHOLE = re.compile(r"(?<![\w.])device\b(?!\s*\.\s*\w)")
_TESTED = re.compile(rf"\bhas\s*\(\s*device\s*\.\s*(?:{'|'.join(PARTS)})\s*\)")
_UNDECLARED = re.compile(r"undeclared reference to '([\w.]+)'")
_MIXED = re.compile(
    r"matching overload for '_(?:<|<=|>|>=)_' applied to '\((?:int|uint|double), (?:int|uint|double)\)'"
)
_CONVERSIONS = ("int", "uint", "double", "string", "bool", "bytes")
_PATTERNED = ("matches", "find", "findAll")


def by_text(expression: str) -> Iterator[str]:
    """Problems of the text itself."""
    if (size := len(expression.encode())) > LONGEST:
        yield f"too long: {size} bytes; at most {LONGEST}"
    code = _STRING.sub('""', expression)
    if "`" in code:
        yield "unsupported syntax: '`'"
    if _WHOLE.search(code) or _TESTED.search(code):
        yield f"{NOT_KNOWN}the device as a whole; write one of its parts: {', '.join(PARTS)}"


def by_compiler(message: str) -> str:
    """The problem that a refusal of the native compiler is."""
    line = message.splitlines()[0].removesuffix("[INVALID_ARGUMENT]").strip().removeprefix("INVALID_ARGUMENT: ")
    for name in _UNDECLARED.findall(message):
        if name.split(".")[0] in UNKNOWN_HERE and not name.startswith("device."):
            return f"{NOT_KNOWN}{name}"
    if _MIXED.search(message):
        return f"{NOT_KNOWN}the order of an int, uint and double; convert one to the other's type"
    return line.removeprefix("ERROR: ")


def by_tree(tree: Tree) -> Iterator[str]:
    """Problems of a checked expression."""
    if tree.type_of(tree.root) not in (BOOL, ANY):
        yield "must evaluate to bool or the unknown type"
    for node in nodes(tree.root):
        kind = node.WhichOneof("kind")
        if kind in _CHECKS:
            yield from _CHECKS[kind](node, tree)


def _call(node: Any, _: Tree) -> Iterator[str]:
    call = node.call
    if call.function not in FUNCTIONS and call.function not in program.LAZY:
        yield f"{NOT_KNOWN}{call.function}"
    if call.function in _CONVERSIONS and call.args[0].WhichOneof("kind") == "const":
        yield from _converted(node)
    if call.function in _PATTERNED:
        yield from _pattern(call)


def _converted(node: Any) -> Iterator[str]:
    """The conversion of a constant is done when the expression is compiled."""
    try:
        program.build(node)({})
    except CelError as error:
        yield str(error)


def _pattern(call: Any) -> Iterator[str]:
    pattern = call.args[0] if call.HasField("target") else call.args[-1]
    if pattern.WhichOneof("kind") != "const":
        yield f"{NOT_KNOWN}{call.function} with a pattern that is no constant"
        return
    try:
        compiled(pattern.const.string)
    except CelError as error:
        yield str(error)
    except UnknownRegexError as error:
        yield f"{NOT_KNOWN}the regular expression {error}"


def _list(node: Any, tree: Tree) -> Iterator[str]:
    optional = set(node.list.optional_indices)
    kinds = [tree.type_of(one) for one in node.list.elements]
    yield from _alike([_held(kind) if index in optional else kind for index, kind in enumerate(kinds)])


def _struct(node: Any, tree: Tree) -> Iterator[str]:
    if node.struct.message_name:
        yield f"{NOT_KNOWN}{node.struct.message_name}{{}}"
        return
    yield from _alike([tree.type_of(entry.key) for entry in node.struct.entries])
    kinds = [(tree.type_of(entry.value), entry.optional) for entry in node.struct.entries]
    yield from _alike([_held(kind) if optional else kind for kind, optional in kinds])


def _held(optional: bytes) -> bytes:
    """The type within an optional one: behind its name, and two bytes that say that it follows."""
    return optional.partition(OPTIONAL_MARK)[2][2:]


def _ident(node: Any, _: Tree) -> Iterator[str]:
    if node.ident.name.startswith("kubernetes."):
        yield f"{NOT_KNOWN}{node.ident.name}"


def _alike(kinds: list[bytes]) -> Iterator[str]:
    if len(set(kinds)) > 1:
        yield "the elements of a list, keys and values of a map must be of one type"


_CHECKS = {"call": _call, "list": _list, "struct": _struct, "ident": _ident}
