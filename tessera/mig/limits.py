"""How much one plan may hold, so that a slip of the hand is refused before it eats memory."""

from __future__ import annotations

MOST_GPUS, MOST_WANTED = 10_000, 70_000
"""GPUs, and instances in total: seven on each GPU."""


def too_many(gpus: int = 0, instances: int = 0) -> list[str]:
    """What is beyond the limits of one plan, a sentence each."""
    rows = ((gpus, MOST_GPUS, "GPUs"), (instances, MOST_WANTED, "instances"))
    beyond = (row for row in rows if row[0] > row[1])
    return [f"found {number} {what}, allowed: at most {most} in one plan" for number, most, what in beyond]
