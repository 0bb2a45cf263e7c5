"""Child processes that end with the host."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

LIFELINE = Path(__file__).with_name("lifeline.py")
# The engine kills a language host 5 s after it asked it to go: our children must be gone before that.
GRACE_S = 2.0


class Child:
    """A Python process in a process group of its own, with all that it starts."""

    def __init__(
        self,
        python: Path,
        target: Sequence[str],
        *,
        cwd: str,
        env: Mapping[str, str],
        stdin: int = subprocess.DEVNULL,
        output: int | None = None,
    ) -> None:
        """Starts `python TARGET`; with `output` None it writes where the host writes: to the engine."""
        self.stopped = False
        self._over = False
        read_end, self._lifeline = os.pipe()
        try:
            self.process = subprocess.Popen(
                [str(python), "-u", str(LIFELINE), str(read_end), *target],
                cwd=cwd or None,
                env=dict(env),
                stdin=stdin,
                stdout=output,
                stderr=output,
                pass_fds=(read_end,),
                process_group=0,
                bufsize=0,
            )
        except OSError:
            os.close(self._lifeline)
            raise
        finally:
            os.close(read_end)

    def wait(self) -> int:
        """The exit code, once the process has ended; what it left behind in its group is killed."""
        code = self.process.wait()
        self._kill()
        return code

    def stop(self) -> None:
        """Asks the group to end, and kills what is left of it after a moment. May be called repeatedly."""
        if self._over:
            return
        self.stopped = True
        if self.process.poll() is None:
            self._signal(signal.SIGINT)
            self._await()
        self._kill()
        self._await()

    def close(self) -> None:
        """Ends the process if it still runs, and gives back the pipes."""
        self.stop()
        self.process.wait()
        os.close(self._lifeline)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()

    def _await(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE_S)

    def _kill(self) -> None:
        self._signal(signal.SIGKILL)
        # From now on the group's number may be given to others.
        self._over = True

    def _signal(self, number: signal.Signals) -> None:
        if not self._over:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)


class ChildrenStoppedError(Exception):
    """The engine has cancelled its operation: nothing more is started."""


class Children:
    """All children of the host."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[Child] = set()
        self._stopped = False

    @contextlib.contextmanager
    def started(self, child: Child) -> Iterator[Child]:
        """Keeps `child` among the running ones for the block, and ends it after it."""
        with self._lock:
            refused = self._stopped
            if not refused:
                self._running.add(child)
        try:
            if refused:
                raise ChildrenStoppedError
            yield child
        finally:
            # Closed before it is forgotten: stop_all must not return while a group still runs.
            child.close()
            with self._lock:
                self._running.discard(child)

    def stop_all(self) -> None:
        """Ends every child, all at the same time, and lets no other start."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        threads = [threading.Thread(target=child.stop) for child in running]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
