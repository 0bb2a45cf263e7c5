"""An API server that says what it is told to, for what a real one can't be made to say at will."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import yaml

from lab.client import Client


def row(name, version="1", **more):
    return {"metadata": {"name": name, "uid": name, "resourceVersion": version}, **more}


def listed(version, *rows):
    """The answer to a list."""
    return 200, [{"metadata": {"resourceVersion": version}, "items": list(rows)}]


def watched(*events):
    """The answer to a watch that ends after these events, each a type and an object."""
    return 200, [{"type": kind, "object": what} for kind, what in events]


def refused(code, reason="no"):
    return code, [{"kind": "Status", "code": code, "message": reason}]


DEAD = 0, []
"""The connection ends without an answer."""


class Server:
    """Gives its answers in order, whatever is asked; then it holds each request open without a word."""

    def __init__(self, *answers):
        self._answers, self._over = list(answers), threading.Event()
        self.asked = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = False  # so that closing waits for them
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}).start()

    def client(self):
        address = f"http://127.0.0.1:{self._server.server_address[1]}"
        named = {"name": "x"}
        config = {
            "clusters": [{**named, "cluster": {"server": address}}],
            "users": [{**named, "user": {}}],
            "contexts": [{**named, "context": {"cluster": "x", "user": "x"}}],
            "current-context": "x",
        }
        return Client(yaml.safe_dump(config))

    def close(self):
        self._over.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(outer):  # noqa: N805 - self is the handler's
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(dict(parse_qsl(urlsplit(self.path).query)))
                code, lines = outer._answers.pop(0) if outer._answers else (None, [])
                if code == 0:
                    return
                self.send_response(code or 200)
                self.end_headers()
                self.wfile.writelines(json.dumps(line).encode() + b"\n" for line in lines)
                if code is None:
                    self.wfile.flush()
                    outer._over.wait()

            def log_message(self, *words):
                """Nothing on standard error."""

        return Handler
