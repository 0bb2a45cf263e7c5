"""Starts the provider: `python -m components.provider ENGINE_ADDRESS`, as the engine does."""

from __future__ import annotations

import signal
import sys
import threading
from concurrent import futures
from importlib.metadata import version

import grpc
from pulumi.runtime.proto import provider_pb2_grpc

from components.provider.chart_version import ChartVersionResource
from components.provider.custom_objects import CustomObjectsResource
from components.provider.engine import Engine
from components.provider.lab import LabResource
from components.provider.resource import Resource
from components.provider.servicer import Servicer

THREADS = 8
RESOURCES: dict[str, Resource] = {
    "tessera:lab:Lab": LabResource(),
    "tessera:platform:ChartVersion": ChartVersionResource(),
    "tessera:platform:CustomObjects": CustomObjectsResource(),
}


def main(argv: list[str]) -> None:
    """Serve until the engine ends this process; the first line printed is the port."""
    address = next((word for word in argv if not word.startswith("-")), "")
    server = grpc.server(futures.ThreadPoolExecutor(THREADS))
    servicer = Servicer(RESOURCES, Engine(address), version("tessera"))
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)  # noqa: T201 - the engine reads it
    ended = threading.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):  # the engine ends its plugins with SIGINT, and waits for them
        signal.signal(ending, lambda *_: ended.set())
    ended.wait()
    server.stop(grace=1).wait()


if __name__ == "__main__":
    main(sys.argv[1:])
