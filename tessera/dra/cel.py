"""A local CEL engine for DRA selectors, with the Kubernetes types that they use.

Quantity and Semver are message types of their own, so comparing one with the other is an error, as in
the API server. Only what DRA selectors of this catalogue and the driver's own classes use is declared:
quantity, semver, compareTo, isGreaterThan, isLessThan, with optionals, bindings and strings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from tessera.dra import quantity

_DOMAIN = re.compile(r"""device\.(?:attributes|capacity)\[(["'])(.*?)\1\]""")

_MEMBER = re.compile(r"\bin\s+device\.(attributes|capacity)\b(?!\s*\[)")
"""Whether a device has a domain at all; indexing one that it has not gives an empty map all the same."""

Verdict = bool | str
"""True or False, or the text of a run-time error, which in a scheduler stops the whole pod."""


def evaluate(expression: str, device: Mapping[str, Any], driver: str) -> Verdict:
    """The verdict of a selector on a device of a ResourceSlice (resource.k8s.io/v1 shape)."""
    try:
        program = _compiled(_MEMBER.sub(r"in device.domains.\1", expression))
    except RuntimeError as error:  # this engine's way to refuse an expression
        return str(error).splitlines()[0]
    result = program.eval(data={"device": _activation(expression, device, driver)}).plain_value()
    return result if isinstance(result, bool) else str(result)


@cache
def _compiled(expression: str) -> Any:
    return _environment().compile(expression)


@cache
def _messages() -> tuple[Any, Any, Any]:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory  # noqa: PLC0415 - slow to load

    pool = descriptor_pool.DescriptorPool()
    file = descriptor_pb2.FileDescriptorProto(name="tessera/cel.proto", package="kubernetes", syntax="proto3")
    for name in ("Quantity", "Semver"):
        field = file.message_type.add(name=name).field.add(name="text", number=1)
        field.type, field.label = field.TYPE_STRING, field.LABEL_OPTIONAL
    pool.Add(file)
    classes = [
        message_factory.GetMessageClass(pool.FindMessageTypeByName(f"kubernetes.{name}"))
        for name in ("Quantity", "Semver")
    ]
    return pool, classes[0], classes[1]


@cache
def _environment() -> Any:
    from cel_expr_python import cel  # noqa: PLC0415 - native, slow to load
    from cel_expr_python.ext import ext_bindings, ext_optional, ext_strings  # noqa: PLC0415

    pool, quantity_class, semver_class = _messages()
    kind = cel.Type("kubernetes.Quantity")

    def declare(name: str, result: Any, parameters: list[Any], member: bool, body: Callable[..., Any]) -> Any:
        return cel.FunctionDecl(name, [cel.Overload(f"tessera_{name}", result, parameters, member, body)])

    return cel.NewEnv(
        descriptor_pool=pool,
        variables={"device": cel.Type.DYN},
        extensions=[ext_bindings.ExtBindings(), ext_optional.ExtOptional(), ext_strings.ExtStrings()],
        functions=[
            declare("quantity", kind, [cel.Type.STRING], False, lambda text: _quantity(text, quantity_class)),
            # Statically dynamic: the engine tells message types apart only by what _order finds at run time.
            declare("semver", cel.Type.DYN, [cel.Type.STRING], False, lambda text: _semver(text, semver_class)),
            declare("compareTo", cel.Type.INT, [kind, kind], True, _order),
            declare("isGreaterThan", cel.Type.BOOL, [kind, kind], True, lambda a, b: _order(a, b) > 0),
            declare("isLessThan", cel.Type.BOOL, [kind, kind], True, lambda a, b: _order(a, b) < 0),
        ],
    )


def _quantity(text: str, message: Any) -> Any:
    quantity.parse(text)
    return message(text=text)


def _semver(text: str, message: Any) -> Any:
    _numbers(text)
    return message(text=text)


def _numbers(text: str) -> tuple[int, int, int]:
    major, minor, patch = text.split(".")
    return int(major), int(minor), int(patch)


def _order(left: Any, right: Any) -> int:
    if left.DESCRIPTOR.name != right.DESCRIPTOR.name:
        raise TypeError(f"no such overload: {left.DESCRIPTOR.name} with {right.DESCRIPTOR.name}")
    key: Callable[[str], Any] = quantity.parse if left.DESCRIPTOR.name == "Quantity" else _numbers
    a, b = key(left.text), key(right.text)
    return int(a > b) - int(a < b)


def _activation(expression: str, device: Mapping[str, Any], driver: str) -> dict[str, Any]:
    _, quantity_class, semver_class = _messages()
    attributes: dict[str, dict[str, Any]] = {}
    capacity: dict[str, dict[str, Any]] = {}
    for name, value in device.get("attributes", {}).items():
        domain, _, key = name.rpartition("/")
        plain = semver_class(text=value["version"]) if "version" in value else next(iter(value.values()))
        attributes.setdefault(domain or driver, {})[key] = plain
    for name, value in device.get("capacity", {}).items():
        domain, _, key = name.rpartition("/")
        capacity.setdefault(domain or driver, {})[key] = quantity_class(text=value["value"])
    # A domain that a device lacks is an empty map, not an error: give each one that is read a map.
    read: dict[str, dict[str, Any]] = {domain: {} for _, domain in _DOMAIN.findall(expression)}
    read[driver] = {}
    return {
        "driver": driver,
        "attributes": read | attributes,
        "capacity": read | capacity,
        "domains": {"attributes": attributes, "capacity": capacity},
    }
