"""`python -m tools.language_host ENGINE_ADDRESS [flags]`, as the engine calls it."""

from __future__ import annotations

import argparse
import os
import select
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import grpc
from pulumi.runtime.proto.language_pb2_grpc import add_LanguageRuntimeServicer_to_server

from tools.language_host.server import LanguageHost

# How soon we notice that the engine is gone without having told us.
PARENT_POLL_S = 0.5
# Each running plugin holds a thread; they are made only when needed.
MAX_CALLS = 256
UNLIMITED = -1


def serve(host: LanguageHost) -> tuple[grpc.Server, int]:
    """Starts serving `host` on a free loopback port, and returns the server and that port."""
    limits = [("grpc.max_receive_message_length", UNLIMITED), ("grpc.max_send_message_length", UNLIMITED)]
    server = grpc.server(ThreadPoolExecutor(max_workers=MAX_CALLS), options=limits)
    add_LanguageRuntimeServicer_to_server(host, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def wait_for_end(parent: int) -> None:
    """Returns at SIGINT or SIGTERM, or when the process that started us, parent, is gone."""
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    # The handlers do nothing: the interpreter writes to the pipe, so no signal can strike between two looks.
    signal.set_wakeup_fd(write_end)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    while os.getppid() == parent:
        if select.select([read_end], [], [], PARENT_POLL_S)[0]:
            return


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves until the end; then ends the children, and the process without waiting for open calls."""
    parent = os.getppid()  # before anything else: whoever reads the port may be gone right after that
    parser = argparse.ArgumentParser(prog="pulumi-language-python", description=__doc__)
    parser.add_argument("engine_address", nargs="?", default="")
    parser.add_argument("--tracing", help="accepted, and not used")
    # Whatever else an engine passes is about its logs.
    known, _ = parser.parse_known_args(arguments)
    host = LanguageHost(known.engine_address)
    server, port = serve(host)
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    wait_for_end(parent)
    host.children.stop_all()
    server.stop(None)
    os._exit(0)


if __name__ == "__main__":
    main()
