"""The LanguageRuntime service."""

# ruff: noqa: N802, ARG002 - gRPC names the methods and their arguments

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import language_pb2 as pb
from pulumi.runtime.proto.plugin_pb2 import PluginInfo

from tools.language_host import plugin
from tools.language_host.child import Child, Children, ChildrenStoppedError
from tools.language_host.interpreter import Interpreter, InterpreterError
from tools.language_host.left_out import LeftOut, official
from tools.language_host.program import REPORTED

HERE = Path(__file__).parent


class LanguageHost(LeftOut):
    """Runs Python programs and plugins for the engine, each in a process of its own."""

    def __init__(self, engine_address: str) -> None:
        self.engine_address = engine_address
        self.children = Children()

    def Handshake(
        self, request: pb.LanguageHandshakeRequest, context: grpc.ServicerContext
    ) -> pb.LanguageHandshakeResponse:
        """Takes the engine's address, which is the one of the command line unless an engine attaches."""
        self.engine_address = request.engine_address or self.engine_address
        return pb.LanguageHandshakeResponse()

    def GetPluginInfo(self, request: Empty, context: grpc.ServicerContext) -> PluginInfo:
        """Says the SDK's version: the host is as old as that."""
        return PluginInfo(version=version("pulumi"))

    def About(self, request: pb.AboutRequest, context: grpc.ServicerContext) -> pb.AboutResponse:
        """Names the program's interpreter."""
        with _refusals(context):
            command = ["-c", "import platform; print(platform.python_version())"]
            executable, output = _ask(request.info, *command)
            return pb.AboutResponse(executable=executable, version=output.strip())

    def GetRequiredPlugins(
        self, request: pb.GetRequiredPluginsRequest, context: grpc.ServicerContext
    ) -> pb.GetRequiredPluginsResponse:
        """None, for the reason that GetRequiredPackages has."""
        return pb.GetRequiredPluginsResponse()

    def GetRequiredPackages(
        self, request: pb.GetRequiredPackagesRequest, context: grpc.ServicerContext
    ) -> pb.GetRequiredPackagesResponse:
        """None: the engine then looks for a plugin when a resource needs it.

        What is listed here it installs first, by download, for every SDK in site-packages, used or not.
        """
        return pb.GetRequiredPackagesResponse()

    def GetProgramDependencies(
        self, request: pb.GetProgramDependenciesRequest, context: grpc.ServicerContext
    ) -> pb.GetProgramDependenciesResponse:
        """The distributions installed in the program's interpreter."""
        with _refusals(context):
            flags = ["--transitive"] if request.transitiveDependencies else []
            _, output = _ask(request.info, str(HERE / "dependencies.py"), *flags)
            found = [pb.DependencyInfo(name=name, version=at) for name, at in json.loads(output).items()]
            return pb.GetProgramDependenciesResponse(dependencies=found)

    def InstallDependencies(
        self, request: pb.InstallDependenciesRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.InstallDependenciesResponse]:
        """Nothing: virtualenvs are made by whoever locks their requirements."""
        yield from ()

    def RuntimeOptionsPrompts(
        self, request: pb.RuntimeOptionsRequest, context: grpc.ServicerContext
    ) -> pb.RuntimeOptionsResponse:
        """No questions."""
        return pb.RuntimeOptionsResponse()

    def Run(self, request: pb.RunRequest, context: grpc.ServicerContext) -> pb.RunResponse:
        """Runs a program; what it prints goes to our own stdout and stderr, which the engine shows."""
        with _refusals(context):
            if request.attach_debugger:
                official(context, "Debugging a program")
            interpreter = Interpreter.of(request.info)
            child = Child(
                interpreter.executable,
                [str(HERE / "program.py"), self.engine_address],
                cwd=request.pwd,
                env=interpreter.environment(os.environ),
                stdin=subprocess.PIPE,
            )
            with self._started(child, context):
                if child.process.stdin is not None:
                    with contextlib.suppress(BrokenPipeError):  # it has ended: its exit code says more
                        child.process.stdin.write(request.SerializeToString())
                        child.process.stdin.close()
                code = child.wait()
            if child.stopped and code != 0:
                context.abort(grpc.StatusCode.CANCELLED, "The program was stopped.")
            if code == REPORTED:
                return pb.RunResponse(bail=True)
            return pb.RunResponse(error=_said(code))

    def RunPlugin(self, request: pb.RunPluginRequest, context: grpc.ServicerContext) -> Iterator[pb.RunPluginResponse]:
        """Runs a plugin until it ends or the engine drops the stream, and streams its output."""
        with _refusals(context):
            if request.attach_debugger:
                official(context, "Debugging a plugin")
            with self._started(plugin.start(request), context) as child:
                yield from plugin.responses(child)

    def Cancel(self, request: Empty, context: grpc.ServicerContext) -> Empty:
        """Ends all programs and plugins; comes at Ctrl-C, and before the engine closes the host."""
        self.children.stop_all()
        return Empty()

    @contextlib.contextmanager
    def _started(self, child: Child, context: grpc.ServicerContext) -> Iterator[Child]:
        """Keeps the child for as long as the call lasts."""
        with self.children.started(child):
            # A callback must not block: gRPC runs it in the thread that serves everybody.
            if not context.add_callback(threading.Thread(target=child.stop).start):
                child.stop()
            yield child


def _ask(info: pb.ProgramInfo, *command: str) -> tuple[str, str]:
    interpreter = Interpreter.of(info)
    environment = interpreter.environment(os.environ)
    answer = subprocess.run(
        [interpreter.executable, *command], env=environment, capture_output=True, text=True, check=True
    )
    return str(interpreter.executable), answer.stdout


def _said(code: int) -> str:
    if code < 0:
        return f"The program's process was killed by {signal.Signals(-code).name}."
    return f"The program's process exited with code {code}." if code else ""


@contextlib.contextmanager
def _refusals(context: grpc.ServicerContext) -> Iterator[None]:
    """Answers what a user can put right with the sentence that says so."""
    try:
        yield
    except (InterpreterError, plugin.PluginError, OSError) as error:
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
    except subprocess.CalledProcessError as error:
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, f"{error}\n{error.stderr}")
    except ChildrenStoppedError:
        context.abort(grpc.StatusCode.CANCELLED, "The operation was cancelled before this was started.")
