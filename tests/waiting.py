"""Waiting for a condition, with a deadline instead of a guess."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], what: str, deadline_s: float = 60) -> None:
    end = time.monotonic() + deadline_s
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen within {deadline_s} s"
        time.sleep(0.02)
