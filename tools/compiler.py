"""Runs `go` so that its output can be followed and nothing outlives us."""

import contextlib
import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

TICK = 1.0  # seconds between calls of on_line("") while Go says nothing
ENDING = (signal.SIGINT, signal.SIGTERM)
PATIENCE = 5.0  # seconds that an interrupted Go has to end by itself


def run(
    argv: Sequence[str | Path],
    *,
    folder: Path,
    environment: Mapping[str, str],
    log: Path,
    on_line: Callable[[str], None],
) -> int:
    """Runs argv to its end and returns its exit status; all it prints goes to `log` and to on_line.

    On an exception, KeyboardInterrupt and SIGTERM's SystemExit among them, the whole process group is ended first.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    process: subprocess.Popen[bytes] | None = None
    with log.open("wb") as file:
        try:
            with _signals_held():  # one that came while Go is being started would find nobody to end it
                process = subprocess.Popen(
                    argv,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    bufsize=0,
                    process_group=0,
                )
            for line in _lines(process, file):
                on_line(line)
            return process.wait()
        except BaseException:
            if process:
                _end(process)
                process.wait()
            raise
        finally:
            if process and process.stdout:
                process.stdout.close()


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Ctrl-C and SIGTERM that come inside are delivered at its end."""
    came: list[int] = []
    try:
        before = {signum: signal.signal(signum, lambda found, _: came.append(found)) for signum in ENDING}
    except ValueError:  # not the main thread: no signal is handled here
        yield
        return
    try:
        yield
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)
    for late in came:
        signal.raise_signal(late)


@contextlib.contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Inside it SIGTERM raises SystemExit(143), so that what Ctrl-C cleans up is cleaned up as well."""

    def leave(*_: object) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    try:
        before = signal.signal(signal.SIGTERM, leave)
    except ValueError:  # not the main thread: whoever owns that one handles its signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _lines(process: subprocess.Popen[bytes], log: BinaryIO) -> Iterator[str]:
    assert process.stdout is not None  # noqa: S101 - opened with PIPE
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(TICK):
                yield ""
                continue
            chunk = os.read(process.stdout.fileno(), 65536)
            log.write(chunk)
            if not chunk:
                break
            *whole, rest = (rest + chunk).split(b"\n")
            yield from (line.decode(errors="replace") for line in whole)
    if rest:
        yield rest.decode(errors="replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        _signal(process, signal.SIGINT)  # Go removes its scratch files on this one, but not on SIGTERM
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        pass
    finally:  # also when Ctrl-C comes a second time
        _signal(process, signal.SIGKILL)


def _signal(process: subprocess.Popen[bytes], signum: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # the group is gone, or only zombies are left
        os.killpg(process.pid, signum)
