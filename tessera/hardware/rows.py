"""Rows: typed reads of the tables in recipes/hardware, and the one word for what nobody knows.

A value that no source tells is written `unknown` and read as None. It never becomes 0 or an empty text.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

from tessera import data
from tessera.errors import TesseraError

UNKNOWN = "unknown"


def say(value: object | None) -> str:
    """The value as text; the word unknown for None."""
    return UNKNOWN if value is None else str(value)


def known[T](value: T | None, what: str) -> T:
    """The value. Raises TesseraError, naming what, where nobody knows it."""
    if value is None:
        raise TesseraError(f"{what} is unknown; measure it, and write it with its source into recipes/hardware")
    return value


class Row:
    """One row of a table. A wrong value is a TesseraError that names file, row, key, what was found and is allowed."""

    def __init__(self, where: str, values: Any) -> None:
        self.where = where
        if not isinstance(values, Mapping):
            raise TesseraError(f"{where}: is no row; found {values!r}, allowed: keys with values")
        self._values = values

    def text(self, key: str) -> str:
        """A text. The word unknown is refused: this table always knows the value."""
        return self._sure(key, str)

    def maybe_text(self, key: str) -> str | None:
        """A text, or None for unknown."""
        return self._maybe(key, str)

    def number(self, key: str) -> int:
        """A whole number; never unknown."""
        return self._sure(key, int)

    def maybe_number(self, key: str) -> int | None:
        """A whole number, or None for unknown."""
        return self._maybe(key, int)

    def flag(self, key: str) -> bool:
        """Yes or no."""
        return self._sure(key, bool)

    def value(self, key: str) -> Any:
        """Whatever is there; None where the row lacks the key."""
        return self._values.get(key)

    def plain(self) -> Mapping[str, Any]:
        """All values, unread, for whoever checks them itself."""
        return self._values

    def day(self, key: str) -> date:
        """A date, written as 2026-11-30."""
        return self._sure(key, date)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(self._each(key, str))

    def numbers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        return tuple(self._each(key, int))

    def maybe_numbers(self, key: str) -> tuple[int, ...] | None:
        """A list of whole numbers, or None where the row lacks the key: it is for exceptions."""
        return self.numbers(key) if key in self._values else None

    def row(self, key: str) -> Row:
        """The row inside this row."""
        return Row(f"{self.where}.{key}", self._values.get(key))

    def rows(self, key: str) -> list[Row]:
        """The list of rows inside this row."""
        return [Row(f"{self.where}.{key}[{at}]", value) for at, value in enumerate(self._sure(key, list))]

    def named(self) -> dict[str, Row]:
        """The rows that this row is made of, by name."""
        return {str(key): Row(f"{self.where}.{key}", value) for key, value in self._values.items()}

    def keys(self) -> tuple[str, ...]:
        """The row's keys."""
        return tuple(map(str, self._values))

    def _maybe[T](self, key: str, kind: type[T]) -> T | None:
        return None if self._values.get(key) == UNKNOWN else self._sure(key, kind)

    def _sure[T](self, key: str, kind: type[T]) -> T:
        value = self._values.get(key)
        if type(value) is not kind or value == UNKNOWN:
            raise TesseraError(
                f"{self.where}.{key}: found {value!r}, allowed: a {kind.__name__}; write it with a source"
            )
        return value

    def _each[T](self, key: str, kind: type[T]) -> list[T]:
        values = self._sure(key, list)
        if any(type(value) is not kind for value in values):
            raise TesseraError(f"{self.where}.{key}: found {values!r}, allowed: a list of {kind.__name__}")
        return values


@cache
def table(name: str) -> dict[str, Row]:
    """The rows of recipes/hardware/<name>.yaml by key, in the file's order. Callers must not change it."""
    return Row(f"recipes/hardware/{name}.yaml", data.load(f"hardware/{name}.yaml")).named()
