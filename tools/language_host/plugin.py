"""Plugins written in Python: policy packs, providers and tools that are a folder with a program."""

from __future__ import annotations

import os
import selectors
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

from pulumi.runtime.proto.language_pb2 import RunPluginRequest, RunPluginResponse

from tools.language_host.child import Child
from tools.language_host.interpreter import Interpreter

# How long an ended plugin can go unnoticed while a process that left its group holds the pipes open.
POLL_S = 0.1


class PluginError(Exception):
    """The folder holds no plugin that can be run; the message says why."""


def target(request: RunPluginRequest) -> list[str]:
    """What Python is to run for the request, by the plugin's kind and what its folder holds."""
    folder = Path(request.info.program_directory)
    arguments = list(request.args)
    if request.kind == "analyzer":
        return ["-m", "pulumi.policy", *arguments, str(folder)]
    if request.info.entry_point in ("", ".") and not (folder / "__main__.py").is_file():
        # A package without an entry point of its own: the SDK serves the components that it exports.
        return ["-m", "pulumi.run.plugin", _package(folder), *arguments]
    return [os.path.normpath(folder / request.info.entry_point), *arguments]


def start(request: RunPluginRequest) -> Child:
    """Starts the plugin in its interpreter, with the environment that the engine gives it."""
    interpreter = Interpreter.of(request.info)
    given = dict(variable.split("=", 1) for variable in request.env if "=" in variable)
    return Child(
        interpreter.executable,
        target(request),
        cwd=request.pwd,
        env=interpreter.environment(given or os.environ),
        output=subprocess.PIPE,
    )


def responses(child: Child) -> Iterator[RunPluginResponse]:
    """What the plugin writes, as it comes; then its exit code."""
    stdout, stderr = child.process.stdout, child.process.stderr
    if stdout is None or stderr is None:
        message = "a plugin must be started with its output piped"
        raise ValueError(message)
    with selectors.DefaultSelector() as selector:
        selector.register(stdout, selectors.EVENT_READ)
        selector.register(stderr, selectors.EVENT_READ)
        while selector.get_map():
            ended = child.process.poll() is not None
            ready = selector.select(POLL_S)
            if ended and not ready:
                break  # all that it wrote before its end has been read
            for key, _ in ready:
                data = os.read(key.fd, 65536)
                if not data:
                    selector.unregister(key.fileobj)
                elif key.fileobj is stdout:
                    yield RunPluginResponse(stdout=data)
                else:
                    yield RunPluginResponse(stderr=data)
    yield RunPluginResponse(exitcode=child.wait())


def _package(folder: Path) -> str:
    project = folder / "pyproject.toml"
    name = tomllib.loads(project.read_text())["project"]["name"] if project.is_file() else ""
    if not name:
        message = f"No plugin to run in {folder}: it has neither __main__.py nor a named pyproject.toml."
        raise PluginError(message)
    return str(name)
