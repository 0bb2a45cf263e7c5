"""A policy pack without a rule, on the SDK's own gRPC service: it needs no further package."""

# ruff: noqa: N802 - gRPC names the methods

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import analyzer_pb2 as pb
from pulumi.runtime.proto.analyzer_pb2_grpc import AnalyzerServicer, add_AnalyzerServicer_to_server
from pulumi.runtime.proto.plugin_pb2 import PluginInfo


class EmptyPack(AnalyzerServicer):
    """Finds nothing wrong with any resource."""

    def Handshake(self, request, context):
        return pb.AnalyzerHandshakeResponse()

    def GetPluginInfo(self, request, context):
        return PluginInfo(version="0.0.1")

    def GetAnalyzerInfo(self, request, context):
        return pb.AnalyzerInfo(name="empty", displayName="empty", version="0.0.1")

    def ConfigureStack(self, request, context):
        return pb.AnalyzerStackConfigureResponse()

    def Configure(self, request, context):
        return Empty()

    def Analyze(self, request, context):
        return pb.AnalyzeResponse()

    def AnalyzeStack(self, request, context):
        return pb.AnalyzeResponse()

    def Remediate(self, request, context):
        return pb.RemediateResponse()

    def Cancel(self, request, context):
        return Empty()


def serve(pack):
    """Serves the pack on a free port, which is the first line that the engine reads."""
    server = grpc.server(ThreadPoolExecutor(max_workers=8))
    add_AnalyzerServicer_to_server(pack, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    serve(EmptyPack())
