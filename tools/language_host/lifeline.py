"""Runs a Python target that must not outlive the language host.

Started as a file, by the interpreter of the program: `lifeline.py FD TARGET [ARGS]`, where TARGET is what
`python` itself takes: a file, a folder with __main__.py, or `-m MODULE`. FD is the read end of a pipe whose
other end only the host holds: when it closes, the host is gone (even killed), and so is this process group.
Standard library only: the program's virtualenv need not know this project.
"""

import os
import runpy
import signal
import sys
import threading
import traceback
from pathlib import Path


def _follow(lifeline: int) -> None:
    os.read(lifeline, 1)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _run(target: list[str]) -> None:
    if target[0] == "-m":
        sys.argv = target[1:]
        runpy.run_module(target[1], run_name="__main__", alter_sys=True)
        return
    sys.argv = target
    if not Path(target[0]).is_dir():  # for a folder, runpy does it
        sys.path.insert(0, str(Path(target[0]).resolve().parent))
    runpy.run_path(target[0], run_name="__main__")


def main() -> None:
    """Starts the watch, then runs the target in this process."""
    threading.Thread(target=_follow, args=(int(sys.argv[1]),), daemon=True, name="lifeline").start()
    here = str(Path(__file__).resolve().parent)
    sys.path[:] = [entry for entry in sys.path if entry != here]
    try:
        _run(sys.argv[2:])
    except KeyboardInterrupt:
        # The host's way to ask for an end: nobody wants to read where it struck.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(128 + signal.SIGINT)
    except Exception as error:  # noqa: BLE001 - whatever a plugin raises is its author's to read
        frame = error.__traceback__
        while frame and frame.tb_frame.f_code.co_filename in (__file__, "<frozen runpy>"):
            frame = frame.tb_next
        traceback.print_exception(type(error), error, frame)
        sys.exit(1)


if __name__ == "__main__":
    main()
