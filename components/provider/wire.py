"""Values on the wire between engine and provider, and the errors that carry a resource's state.

The markers are the Pulumi SDK's: a fixed string stands for an unknown value, and a map with a
signature key for a secret.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import grpc
from google.protobuf import any_pb2, json_format, struct_pb2
from pulumi.runtime import rpc
from pulumi.runtime.proto import provider_pb2, status_pb2

_SIGNATURE: Final = rpc._special_sig_key
_SECRET: Final = rpc._special_secret_sig


class Unknown:
    """A value that a preview can't know yet."""

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN: Final = Unknown()


@dataclass(frozen=True)
class Secret:
    """A value that state files keep encrypted and no output shows."""

    value: Any


def decode(struct: struct_pb2.Struct) -> dict[str, Any]:
    """Plain Python values: whole numbers as int, unknown ones as UNKNOWN, secrets without their wrapping."""
    return {key: _decoded(value) for key, value in json_format.MessageToDict(struct).items()}


def encode(values: Mapping[str, Any]) -> struct_pb2.Struct:
    """The wire form; UNKNOWN and Secret become the engine's markers."""
    struct = struct_pb2.Struct()
    struct.update({key: _encoded(value) for key, value in values.items()})
    return struct


def has_unknown(value: Any) -> bool:
    """Whether anything in a decoded value is unknown."""
    if isinstance(value, Mapping):
        return any(has_unknown(part) for part in value.values())
    if isinstance(value, list):
        return any(has_unknown(part) for part in value)
    return value is UNKNOWN


def fail(context: grpc.ServicerContext, message: str) -> NoReturn:
    """End a call with one sentence for the user."""
    context.abort(grpc.StatusCode.UNKNOWN, message)
    raise AssertionError("abort raises")


def fail_partly(
    context: grpc.ServicerContext, message: str, resource_id: str, state: Mapping[str, Any], inputs: Mapping[str, Any]
) -> NoReturn:
    """End a create or update that failed half-way: the engine keeps id and state, so the next update goes on."""
    detail = provider_pb2.ErrorResourceInitFailed(
        id=resource_id, properties=encode(state), reasons=[message], inputs=encode(inputs)
    )
    packed = any_pb2.Any()
    packed.Pack(detail)
    status = status_pb2.Status(code=grpc.StatusCode.UNKNOWN.value[0], message=message, details=[packed])
    context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
    fail(context, message)


def _decoded(value: Any) -> Any:
    if value == rpc.UNKNOWN:
        return UNKNOWN
    if isinstance(value, Mapping):
        if value.get(_SIGNATURE) == _SECRET:
            return _decoded(value["value"])
        return {key: _decoded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_decoded(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _encoded(value: Any) -> Any:
    if value is UNKNOWN:
        return rpc.UNKNOWN
    if isinstance(value, Secret):
        return {_SIGNATURE: _SECRET, "value": _encoded(value.value)}
    if isinstance(value, Mapping):
        return {key: _encoded(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_encoded(part) for part in value]
    return value
