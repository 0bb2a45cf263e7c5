"""Errors that a user can act on."""

from __future__ import annotations

from collections.abc import Sequence


class TesseraError(Exception):
    """A user's mistake or a fault of the surroundings, in one sentence: where, what, what to do next."""


class ProblemsError(TesseraError):
    """Several problems, told at once, one a line."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))
