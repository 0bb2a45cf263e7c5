"""The engine, as a provider sees it: where progress and warnings go."""

from __future__ import annotations

import grpc
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc


class Engine:
    """Messages to the user through the engine at address."""

    def __init__(self, address: str) -> None:
        self._stub = engine_pb2_grpc.EngineStub(grpc.insecure_channel(address)) if address else None

    def progress(self, urn: str, message: str) -> None:
        """A line beside the resource while it is being worked on."""
        self._log(urn, message, engine_pb2.INFO, ephemeral=True)

    def note(self, urn: str, message: str) -> None:
        """A line that stays."""
        self._log(urn, message, engine_pb2.INFO, ephemeral=False)

    def _log(self, urn: str, message: str, severity: engine_pb2.LogSeverity.ValueType, *, ephemeral: bool) -> None:
        if self._stub is None:
            return
        request = engine_pb2.LogRequest(urn=urn, message=message, severity=severity, ephemeral=ephemeral)
        try:
            self._stub.Log(request, timeout=2)
        except grpc.RpcError:
            return  # the engine is going away; a lost line of progress must not fail the work
