"""What the native type checker knows: the device's parts and Kubernetes' functions, with their types.

Attributes are google.protobuf.Any and capacities Quantity, as in the API server: the same expressions do not compile.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

PARTS = ("driver", "allowMultipleAllocations", "attributes", "capacity")
"""Of a device. There is no variable that is the whole device."""

_COMPARABLE = ("int", "uint", "double", "bool", "string", "bytes")
_KUBERNETES = (
    "quantity(string) Q",
    "isQuantity(string) bool",
    "sign(Q) int",
    "Q.isInteger() bool",
    "Q.asInteger() int",
    "Q.asApproximateFloat() double",
    *(f"Q.{name}({other}) Q" for name in ("add", "sub") for other in ("Q", "int")),
    *(f"semver({taken}) S" for taken in ("string", "string,bool")),
    *(f"isSemver({taken}) bool" for taken in ("string", "string,bool")),
    *(f"S.{name}() int" for name in ("major", "minor", "patch")),
    *(f"{kind}.compareTo({kind}) int" for kind in "QS"),
    *(f"{kind}.{name}({kind}) bool" for kind in "QS" for name in ("isGreaterThan", "isLessThan")),
)
_STRINGS = (
    "string.charAt(int) string",
    "string.indexOf(string) int",
    "string.indexOf(string,int) int",
    "string.lastIndexOf(string) int",
    "string.lastIndexOf(string,int) int",
    "list<string>.join() string",
    "list<string>.join(string) string",
    "string.lowerAscii() string",
    "string.upperAscii() string",
    "string.replace(string,string) string",
    "string.replace(string,string,int) string",
    "string.split(string) list<string>",
    "string.split(string,int) list<string>",
    "string.substring(int) string",
    "string.substring(int,int) string",
    "string.trim() string",
    "string.find(string) string",
    "string.findAll(string) list<string>",
    "string.findAll(string,int) list<string>",
)
_LISTS = (
    *(f"list<{kind}>.isSorted() bool" for kind in _COMPARABLE),
    *(f"list<{kind}>.{name}() {kind}" for kind in _COMPARABLE for name in ("min", "max")),
    *(f"list<{kind}>.sum() {kind}" for kind in _COMPARABLE[:3]),
    *(f"list<{kind}>.{name}({kind}) int" for kind in (*_COMPARABLE, "Q", "S") for name in ("indexOf", "lastIndexOf")),
)
UNKNOWN_HERE = frozenset(
    [
        "ip",
        "isIP",
        "cidr",
        "isCIDR",
        "containsIP",
        "containsCIDR",
        "family",
        "url",
        "isURL",
        "format",
        "named",
        "validate",
        "sets",
        "strings",
        "timestamp",
        "duration",
        "all",
        "exists",
        "existsOne",
        "transformList",
        "transformMap",
        "transformMapEntry",
        "lists",
        "distinct",
        "flatten",
        "range",
        "reverse",
        "slice",
        "sort",
        "sortBy",
        "first",
        "last",
        "device",
        "kubernetes",
        "google",
        "authorizer",
    ]
)
"""Names that the API server knows and this engine does not."""


@cache
def environment() -> Any:
    """The native engine: it parses and checks types, and serializes the tree."""
    from cel_expr_python import cel  # noqa: PLC0415 - native, slow to load
    from cel_expr_python.ext import ext_bindings, ext_optional  # noqa: PLC0415

    kind, text = cel.Type, cel.Type.STRING
    by_domain = {"attributes": kind("google.protobuf.Any"), "capacity": kind("kubernetes.Quantity")}
    maps = {f"device.{part}": kind.Map(text, kind.Map(text, value)) for part, value in by_domain.items()}
    return cel.NewEnv(
        descriptor_pool=_messages(),
        variables={"device.driver": text, "device.allowMultipleAllocations": kind.BOOL, **maps},
        extensions=[ext_bindings.ExtBindings(), ext_optional.ExtOptional()],
        functions=list(_functions(cel)),
    )


def _functions(cel: Any) -> Iterator[Any]:
    overloads: dict[str, list[Any]] = {}
    for number, signature in enumerate((*_KUBERNETES, *_STRINGS, *_LISTS)):
        call, result = signature.rsplit(" ", 1)
        head, _, tail = call.removesuffix(")").partition("(")
        receiver, _, name = head.rpartition(".")
        taken = [_type(cel, word) for word in (receiver, *tail.split(",")) if word]
        one = cel.Overload(f"tessera_{number}", _type(cel, result), taken, bool(receiver), _never)
        overloads.setdefault(name, []).append(one)
    yield from (cel.FunctionDecl(name, found) for name, found in overloads.items())


def _type(cel: Any, word: str) -> Any:
    if word.startswith("list<"):
        return cel.Type.List(_type(cel, word[5:-1]))
    messages = {"Q": "kubernetes.Quantity", "S": "kubernetes.Semver"}
    return cel.Type(messages[word]) if word in messages else getattr(cel.Type, word.upper())


def _never(*_: Any) -> None:
    """The native engine evaluates nothing here: see program.py."""


def _messages() -> Any:
    from google.protobuf import descriptor_pb2, descriptor_pool  # noqa: PLC0415 - slow to load

    file = descriptor_pb2.FileDescriptorProto(name="tessera/kubernetes.proto", package="kubernetes", syntax="proto3")
    for name in ("Quantity", "Semver"):
        file.message_type.add(name=name)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return pool
