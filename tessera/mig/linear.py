"""A small linear program, solved exactly in whole numbers.

It covers a demand with patterns: the least sum of x with A x >= demand, where patterns of one group together are used
at most so often. What is solved is its dual, for which 0 is a place to start; the amounts x fall out at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Cover:
    """amounts: how often each pattern is used. values: what one piece of each item is worth, in GPUs.

    rents: what one more GPU of each group would save. All are exact.
    """

    amounts: tuple[Fraction, ...]
    values: tuple[Fraction, ...]
    rents: tuple[Fraction, ...]

    def bound(self, demand: Sequence[int], limits: Sequence[int]) -> Fraction:
        """GPUs that any demand takes at least, with so many of each group."""
        worth = sum((value * count for value, count in zip(self.values, demand, strict=True)), Fraction(0))
        return worth - sum((rent * limit for rent, limit in zip(self.rents, limits, strict=True)), Fraction(0))


def cover(patterns: Sequence[tuple[int, Sequence[int]]], demand: Sequence[int], limits: Sequence[int]) -> Cover | None:
    """The cheapest cover. patterns: each with its group. None where even parts of patterns can't cover the demand."""
    table = _Table(patterns, demand, limits)
    while (column := table.entering()) is not None:
        row = table.leaving(column)
        if row is None:
            return None
        table.pivot(row, column)
    return table.read(len(patterns), len(demand), len(limits))


class _Table:
    """A simplex table over one common denominator: each pivot divides without a rest, so all stays whole.

    Columns belong to variables (values, then rents), rows to patterns; a pivot swaps two. The last row is the goal,
    the last column the right-hand side.
    """

    def __init__(
        self, patterns: Sequence[tuple[int, Sequence[int]]], demand: Sequence[int], limits: Sequence[int]
    ) -> None:
        groups = len(limits)
        self.rows = [[*counts, *(-int(group == at) for at in range(groups)), 1] for group, counts in patterns]
        self.rows.append([*(-count for count in demand), *limits, 0])
        width = len(demand) + groups
        self.columns = list(range(width))
        self.basis = list(range(width, width + len(patterns)))
        self.over = 1

    def entering(self) -> int | None:
        """The column of the first variable that betters the goal: the first one, so that it never goes in circles."""
        goal = self.rows[-1]
        better = [at for at in range(len(self.columns)) if goal[at] < 0]
        return min(better, key=lambda at: self.columns[at], default=None)

    def leaving(self, column: int) -> int | None:
        """The row that bounds it first; None where nothing does."""
        bounding = [at for at in range(len(self.basis)) if self.rows[at][column] > 0]
        return min(
            bounding,
            key=lambda at: (Fraction(self.rows[at][-1], self.rows[at][column]), self.basis[at]),
            default=None,
        )

    def pivot(self, row: int, column: int) -> None:
        """Swaps the variables of a row and a column."""
        line, by, over = self.rows[row], self.rows[row][column], self.over
        for at, other in enumerate(self.rows):
            part = other[column]
            if at != row:
                if part or by != over:
                    self.rows[at] = [(old * by - part * new) // over for old, new in zip(other, line, strict=True)]
                self.rows[at][column] = -part
        line[column] = over
        self.over = by
        self.columns[column], self.basis[row] = self.basis[row], self.columns[column]

    def read(self, patterns: int, items: int, groups: int) -> Cover:
        """What the variables are worth at the end."""
        found = [Fraction(0)] * (items + groups + patterns)
        for variable, row in zip(self.basis, self.rows, strict=False):
            found[variable] = Fraction(row[-1], self.over)
        amounts = [Fraction(0)] * patterns
        for at, variable in enumerate(self.columns):
            if variable >= items + groups:
                amounts[variable - items - groups] = Fraction(self.rows[-1][at], self.over)
        return Cover(tuple(amounts), tuple(found[:items]), tuple(found[items : items + groups]))
