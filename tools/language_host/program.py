"""Runs one Pulumi program, in the interpreter of that program.

Started as a file by the host, through lifeline.py: `program.py ENGINE_ADDRESS`, with the serialized RunRequest
(it holds secrets, so it is no argument) on stdin. Every run has a process of its own: an update must not find
the modules that its preview imported, else their resources would be missing. Needs the Pulumi SDK only.
"""

import asyncio
import logging
import os
import runpy
import signal
import sys
import sysconfig
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

import grpc
import pulumi
from pulumi.runtime import reset_options, run_in_stack, set_all_config
from pulumi.runtime.proto.language_pb2 import RunRequest

# The exit code that says "the user has been told what is wrong".
REPORTED = 32
HERE = Path(__file__).parent
SDK = Path(pulumi.__file__).parent


def entry(request: RunRequest) -> Path:
    """The file to run; raises RunError if there is none."""
    folder = Path(request.info.program_directory)
    path = folder / request.info.entry_point
    if path.is_dir():
        path /= "__main__.py"
    if not path.is_file():
        message = f"No Pulumi program: {path} does not exist (Pulumi.yaml's `main` names it)."
        raise pulumi.RunError(message)
    return path


def users_traceback(error: BaseException) -> str:
    """The traceback of `error` from its first frame in a user's file on, without ours and the SDK's before it."""
    if isinstance(error, SyntaxError) and not _first(error, lambda path: not _machinery(path)):
        return "".join(traceback.format_exception_only(error))  # it names its file and line itself
    start = _first(error, lambda path: not _machinery(path)) or _first(error, lambda path: path.parent != HERE)
    return "".join(traceback.format_exception(type(error), error, start))


def _first(error: BaseException, wanted: Callable[[Path], bool]) -> TracebackType | None:
    frame = error.__traceback__
    while frame is not None and not wanted(Path(frame.tb_frame.f_code.co_filename)):
        frame = frame.tb_next
    return frame


def _machinery(path: Path) -> bool:
    """Whether a user did not write this file, nor chose to import it: we, the SDK, and the standard library."""
    library = path.is_relative_to(sysconfig.get_path("stdlib")) and "site-packages" not in path.parts
    return library or path.parent == HERE or path.is_relative_to(SDK) or path.name.startswith("<frozen")


def run_file(path: Path) -> None:
    """Runs the program's file as __main__; its own sys.exit() ends it like its last line, or as an error."""
    try:
        runpy.run_path(str(path), run_name="__main__")
    except SystemExit as end:
        if end.code in (None, 0):
            return
        said = f"exited with code {end.code}" if isinstance(end.code, int) else str(end.code)
        message = f"The program called sys.exit: {said}"
        raise pulumi.RunError(message) from end


def run(request: RunRequest) -> int:
    """Runs the program to its end, and returns the exit code; what goes wrong is logged to the engine."""
    folder = Path(request.info.program_directory)
    sys.path.insert(0, str(folder))
    # Futures that nobody awaited are normal when a program fails, and say nothing to its author.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    executor = ThreadPoolExecutor(max_workers=max(request.parallel, 1) * 4)
    loop.set_default_executor(executor)
    try:
        path = entry(request)
        sys.argv = [str(path)]
        loop.run_until_complete(run_in_stack(lambda: run_file(path)))
    except pulumi.RunError as error:
        pulumi.log.error(str(error))
        return REPORTED
    except grpc.RpcError as error:
        # An engine that has stopped listening is ending the operation, and says why itself.
        if error.code() != grpc.StatusCode.UNAVAILABLE:
            pulumi.log.error(f"The engine refused a call: {error.details()}\n{users_traceback(error)}")
        return REPORTED
    except Exception as error:  # noqa: BLE001 - whatever a program raises is the user's to read
        pulumi.log.error("The program failed:\n" + users_traceback(error))
        return REPORTED
    except KeyboardInterrupt:
        # Threads may wait for an engine that will never answer: don't join them.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(128 + signal.SIGINT)
    executor.shutdown(wait=True)
    loop.close()
    return 0


def main() -> None:
    """Connects the SDK to the engine as the request says, and runs the program."""
    request = RunRequest.FromString(sys.stdin.buffer.read())
    reset_options(
        project=request.project,
        stack=request.stack,
        root_directory=request.info.root_directory,
        parallel=request.parallel,
        engine_address=sys.argv[1],
        monitor_address=request.monitor_address,
        preview=request.dryRun,
        organization=request.organization or "organization",
    )
    set_all_config(dict(request.config), list(request.configSecretKeys))
    sys.exit(run(request))


if __name__ == "__main__":
    main()
