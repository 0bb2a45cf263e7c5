"""The syntax tree of a checked expression, as the native parser and type checker hand it over.

Messages of cel/expr/syntax.proto and checked.proto: those fields that are read here; the rest is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

BOOL, ANY, OPTIONAL_MARK = b"\x18\x01", b"(\x01", b"optional_type"
"""Types as the checker writes them: primitive bool, google.protobuf.Any, and the name within an optional type."""

_SCALARS = {"double": 1, "int64": 3, "uint64": 4, "int32": 5, "bool": 8, "string": 9, "bytes": 12}
"""Numbers of the field types in descriptor.proto."""

_MESSAGES: Mapping[str, tuple[str, ...]] = {
    "Any": ("2 bytes value",),
    "Expr": (
        "2 int64 id",
        "3 Constant const",
        "4 Ident ident",
        "5 Select select",
        "6 Call call",
        "7 CreateList list",
        "8 CreateStruct struct",
        "9 Comprehension comprehension",
    ),
    "Constant": (
        "1 int32 null",
        "2 bool bool",
        "3 int64 int",
        "4 uint64 uint",
        "5 double double",
        "6 string string",
        "7 bytes bytes",
    ),
    "Ident": ("1 string name",),
    "Select": ("1 Expr operand", "2 string field", "3 bool test_only"),
    "Call": ("1 Expr target", "2 string function", "3 Expr* args"),
    "CreateList": ("1 Expr* elements", "2 int32* optional_indices"),
    "CreateStruct": ("1 string message_name", "2 Entry* entries"),
    "Entry": ("3 Expr key", "4 Expr value", "5 bool optional"),
    "Comprehension": (
        "1 string iter_var",
        "2 Expr iter_range",
        "3 string accu_var",
        "4 Expr accu_init",
        "5 Expr loop_condition",
        "6 Expr loop_step",
        "7 Expr result",
    ),
    "TypeEntry": ("1 int64 key", "2 bytes value"),
    "Checked": ("3 TypeEntry* types", "4 Expr expr"),
}


@dataclass(frozen=True)
class Tree:
    """A checked expression: its root, and the static type of each node by the node's id."""

    root: Any
    types: Mapping[int, bytes]

    def type_of(self, node: Any) -> bytes:
        """The static type of a node, as the checker writes it."""
        return self.types.get(node.id, b"")


def tree(serialized: bytes) -> Tree:
    """The tree of an expression as the native engine serializes it."""
    classes = _classes()
    checked = classes["Checked"].FromString(classes["Any"].FromString(serialized).value)
    return Tree(checked.expr, {entry.key: entry.value for entry in checked.types})


def nodes(node: Any) -> Iterator[Any]:
    """A node and everything below it."""
    yield node
    for child in _children(node):
        yield from nodes(child)


def _children(node: Any) -> Iterator[Any]:
    kind = node.WhichOneof("kind")
    part: Any = getattr(node, kind) if kind else None
    if kind == "select":
        yield part.operand
    elif kind == "call":
        yield from (*((part.target,) if part.HasField("target") else ()), *part.args)
    elif kind == "list":
        yield from part.elements
    elif kind == "struct":
        for entry in part.entries:
            yield from (entry.key, entry.value)
    elif kind == "comprehension":
        yield from (part.iter_range, part.accu_init, part.loop_condition, part.loop_step, part.result)


@cache
def _classes() -> dict[str, Any]:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory  # noqa: PLC0415 - slow to load

    file = descriptor_pb2.FileDescriptorProto(name="tessera/syntax.proto", package="tessera", syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        if name in ("Expr", "Constant"):
            message.oneof_decl.add(name="kind")
        for text in fields:
            _field(message, *text.split())
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"tessera.{name}")) for name in _MESSAGES}


def _field(message: Any, number: str, kind: str, name: str) -> None:
    field = message.field.add(name=name, number=int(number))
    field.label = field.LABEL_REPEATED if kind.endswith("*") else field.LABEL_OPTIONAL
    plain = kind.rstrip("*")
    field.type = _SCALARS.get(plain, field.TYPE_MESSAGE)
    if plain not in _SCALARS:
        field.type_name = f".tessera.{plain}"
    if message.oneof_decl and name != "id":
        field.oneof_index = 0
