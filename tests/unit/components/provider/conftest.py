"""The provider, served over a real gRPC connection, with a resource that does as it is told."""

from concurrent import futures

import grpc
import pytest
from pulumi.runtime.proto import provider_pb2_grpc

from components.provider.servicer import Servicer


class Fake:
    """A resource whose answers a test sets; an exception is raised."""

    def __init__(self):
        self.answers, self.calls = {}, {}

    def _answer(self, name, *words):
        self.calls[name] = words
        answer = self.answers.get(name)
        if isinstance(answer, Exception):
            raise answer
        return answer(*words) if callable(answer) else answer

    def __getattr__(self, name):
        return lambda *words: self._answer(name, *words)


class Log:
    """The engine's log."""

    def __init__(self):
        self.notes, self.lines = [], []

    def note(self, urn, message):
        self.notes.append((urn, message))

    def progress(self, urn, message):
        self.lines.append(message)


@pytest.fixture
def fake():
    return Fake()


@pytest.fixture
def log():
    return Log()


@pytest.fixture
def provider(fake, log):
    server = grpc.server(futures.ThreadPoolExecutor(4))
    servicer = Servicer({"tessera:lab:Lab": fake}, log, "1.2.3")
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield provider_pb2_grpc.ResourceProviderStub(channel)
    server.stop(None).wait()
