"""Refusals: what a chart itself refuses to render, said again so that it can be told before anything is installed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tessera.charts import keys
from tessera.errors import TesseraError

TESTS = ("is", "is not", "above", "below", "longer than")
"""What a condition may ask of a value, besides true, false, set and unset."""

Case = Mapping[str, Any]
"""By path of a value, what is asked of it; all must hold. `@namespace` is the release's namespace."""


@dataclass(frozen=True)
class Refusal:
    """One refusal. when: it holds where any of the cases does; says: what is wrong and what to do.

    paths: the values that it is about, the one to blame first.
    """

    when: tuple[Case, ...]
    says: str

    @property
    def paths(self) -> tuple[str, ...]:
        """The values that it looks at."""
        return tuple(dict.fromkeys(path for case in self.when for path in case if path != "@namespace"))

    @classmethod
    def read(cls, said: Mapping[str, Any], file: str) -> Refusal:
        """From a chart's file. Raises TesseraError where a condition is none."""
        when = said["when"] if isinstance(said["when"], list) else [said["when"]]
        for case in when:
            for path, asked in case.items():
                fits = isinstance(asked, bool) or asked in ("set", "unset")
                if not fits and not (isinstance(asked, dict) and len(asked) == 1 and next(iter(asked)) in TESTS):
                    raise TesseraError(
                        f"{file}: refusals: {path}: found {asked!r}, allowed: true, false, set, unset or one of "
                        f"{', '.join(TESTS)}"
                    )
        return cls(tuple(when), said["says"])

    def holds(self, merged: Mapping[str, Any], namespace: str) -> Case | None:
        """The case that holds for a chart's merged values, or None."""
        for case in self.when:
            if all(
                _holds(asked, namespace if path == "@namespace" else keys.at(merged, path))
                for path, asked in case.items()
            ):
                return case
        return None


def _holds(asked: Any, value: Any) -> bool:
    if isinstance(asked, bool):
        return bool(value) == asked
    if asked in ("set", "unset"):
        return bool((value is not None) == (asked == "set"))
    test, against = next(iter(asked.items()))
    if test == "longer than":
        return len(value or "") > int(against)
    if test in ("above", "below"):
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        return bool(value > against if test == "above" else value < against)
    choices = against if isinstance(against, list) else [against]
    found = any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in choices)
    return bool(found == (test == "is"))
