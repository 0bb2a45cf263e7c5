"""The provider's gRPC service: each call is decoded, handed to its resource, and answered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc

from components.provider import wire
from components.provider.engine import Engine
from components.provider.resource import Call, PartialError, Resource, Values
from tessera.errors import TesseraError
from tools.errors import ToolError

T = TypeVar("T")
_Kind = provider_pb2.PropertyDiff.Kind


class Servicer(provider_pb2_grpc.ResourceProviderServicer):
    """Serves resources by type token, on the threads of the gRPC server."""

    def __init__(self, resources: Mapping[str, Resource], engine: Engine, version: str) -> None:
        self._resources = resources
        self._engine = engine
        self._version = version
        self._cancelled = threading.Event()

    def GetPluginInfo(self, request: Any, context: grpc.ServicerContext) -> plugin_pb2.PluginInfo:
        return plugin_pb2.PluginInfo(version=self._version)

    def Handshake(self, request: Any, context: grpc.ServicerContext) -> provider_pb2.ProviderHandshakeResponse:
        return provider_pb2.ProviderHandshakeResponse(accept_secrets=True)

    def CheckConfig(self, request: Any, context: grpc.ServicerContext) -> provider_pb2.CheckResponse:
        return provider_pb2.CheckResponse(inputs=request.news)

    def DiffConfig(self, request: Any, context: grpc.ServicerContext) -> provider_pb2.DiffResponse:
        return provider_pb2.DiffResponse(changes=provider_pb2.DiffResponse.DIFF_NONE)

    def Configure(self, request: Any, context: grpc.ServicerContext) -> provider_pb2.ConfigureResponse:
        return provider_pb2.ConfigureResponse(acceptSecrets=True, supportsPreview=True)

    def Cancel(self, request: Any, context: grpc.ServicerContext) -> empty_pb2.Empty:
        self._cancelled.set()
        return empty_pb2.Empty()

    def Check(self, request: Any, context: grpc.ServicerContext) -> provider_pb2.CheckResponse:
        resource, call = self._resource(request, context), self._call(request.urn)
        checked, reasons = self._run(context, lambda: resource.check(call, wire.decode(request.news)))
        failures = [provider_pb2.CheckFailure(property=name, reason=reason) for name, reason in reasons.items()]
        return provider_pb2.CheckResponse(inputs=wire.encode(checked), failures=failures)

    def Diff(self, request: Any, context: grpc.ServicerContext) -> provider_pb2.DiffResponse:
        resource, call = self._resource(request, context), self._call(request.urn)
        state, old, new = wire.decode(request.olds), wire.decode(request.old_inputs), wire.decode(request.news)
        found = self._run(context, lambda: resource.diff(call, request.id, state, old, new))
        for note in found.notes:
            self._engine.note(request.urn, note)
        kinds: dict[str, _Kind.ValueType] = dict.fromkeys(found.changed, _Kind.UPDATE)
        kinds |= dict.fromkeys(found.replaced, _Kind.UPDATE_REPLACE)
        response = provider_pb2.DiffResponse
        return response(
            changes=response.DIFF_SOME if kinds else response.DIFF_NONE,
            diffs=list(kinds),
            replaces=list(found.replaced),
            # Ours have one name and one folder: the old one must go before the new one can be.
            deleteBeforeReplace=bool(found.replaced),
            hasDetailedDiff=True,
            detailedDiff={
                path: provider_pb2.PropertyDiff(kind=kind, inputDiff=path.partition(".")[0].partition("[")[0] in new)
                for path, kind in kinds.items()
            },
        )

    def Create(self, request: Any, context: grpc.ServicerContext) -> provider_pb2.CreateResponse:
        resource, call, inputs = (
            self._resource(request, context),
            self._call(request.urn),
            wire.decode(request.properties),
        )
        if request.preview:
            state = self._run(context, lambda: resource.plan(None, {}, inputs))
            return provider_pb2.CreateResponse(properties=wire.encode(state))
        made, state = self._run(context, lambda: resource.create(call, inputs), inputs)
        return provider_pb2.CreateResponse(id=made, properties=wire.encode(state))

    def Read(self, request: Any, context: grpc.ServicerContext) -> provider_pb2.ReadResponse:
        resource, call = self._resource(request, context), self._call(request.urn)
        found = self._run(context, lambda: resource.read(call, request.id, wire.decode(request.inputs)))
        if found is None:
            return provider_pb2.ReadResponse()
        inputs, state = found
        return provider_pb2.ReadResponse(id=request.id, inputs=wire.encode(inputs), properties=wire.encode(state))

    def Update(self, request: Any, context: grpc.ServicerContext) -> provider_pb2.UpdateResponse:
        resource, call, inputs = self._resource(request, context), self._call(request.urn), wire.decode(request.news)
        if request.preview:
            state = self._run(context, lambda: resource.plan(request.id, wire.decode(request.olds), inputs))
        else:
            state = self._run(context, lambda: resource.update(call, request.id, inputs), inputs)
        return provider_pb2.UpdateResponse(properties=wire.encode(state))

    def Delete(self, request: Any, context: grpc.ServicerContext) -> empty_pb2.Empty:
        resource, call = self._resource(request, context), self._call(request.urn, wire.decode(request.properties))
        self._run(context, lambda: resource.delete(call, request.id))
        return empty_pb2.Empty()

    def _resource(self, request: Any, context: grpc.ServicerContext) -> Resource:
        token = request.urn.split("::")[2].rpartition("$")[2]  # behind the types of its parents
        if token not in self._resources:
            wire.fail(context, f"this Tessera has no resource {token}; it has {', '.join(sorted(self._resources))}")
        return self._resources[token]

    def _call(self, urn: str, state: Values | None = None) -> Call:
        return Call(urn, lambda line: self._engine.progress(urn, line), self._cancelled, state or {})

    def _run(self, context: grpc.ServicerContext, act: Callable[[], T], inputs: Values | None = None) -> T:
        try:
            return act()
        except PartialError as error:
            wire.fail_partly(context, str(error), error.resource_id, error.state, inputs or {})
        except (TesseraError, ToolError) as error:
            wire.fail(context, str(error))
        except Exception as error:  # noqa: BLE001 - a fault of ours still has to be one sentence here
            wire.fail(context, f"internal error, please report it: {type(error).__name__}: {error}")
