"""Fields: what may be set where, and with what kind of value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tessera import naming
from tessera.recipe import paths
from tessera.recipe.writes import Origin, Write

IDENTITY = ("chart", "version", "repository", "namespace")
"""Of a component: set once, by one layer."""

REQUIRED = ("chart", "version", "namespace")
"""What an enabled component can't be without."""

OPERATORS = ("at least", "at most", "equals", "one of", "present")
"""Of a constraint: exactly one."""

SEVERITIES = ("error", "warning")

SECTIONS = ("hosts", "components", "control_plane", "constraints", "artifacts")

Check = Callable[[Any], str]
"""What is wrong with a value; empty where nothing is."""


def _text(value: Any) -> str:
    if isinstance(value, str):
        return "" if value.strip() else "must not be empty"
    return f"must be text; found {value!r}" + ("; write it in quotes" if isinstance(value, int | float) else "")


def _true_or_false(value: Any) -> str:
    return "" if isinstance(value, bool) else f"must be true or false; found {value!r}"


def _names(value: Any) -> str:
    if not isinstance(value, list):
        return f"must be a list of names, or {{append: [...]}}; found {value!r}"
    return next((f"one of its names {wrong}" for wrong in map(_text, value) if wrong), "")


def _crds(value: Any) -> str:
    return "" if isinstance(value, bool | str) else _names(value)


def _bound(value: Any) -> str:
    if isinstance(value, float):
        return f"found {value!r}, a number in which 6.10 is 6.1; write it in quotes"
    return f"must be text or a number; found {value!r}" if isinstance(value, list) else ""


def _choices(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return f"must be a list of values; found {value!r}"
    return next((f"one of its values {wrong}" for wrong in map(_bound, value) if wrong), "")


def _severity(value: Any) -> str:
    return "" if value in SEVERITIES else naming.unknown("severity", str(value), SEVERITIES)


COMPONENT: Mapping[str, Check | None] = {
    **dict.fromkeys(IDENTITY, _text),
    "values": None,
    "after": _names,
    "crds": _crds,
    "enabled": _true_or_false,
}
"""By field; None where keys are free."""

CONSTRAINT: Mapping[str, Check | None] = {
    "subject": _text,
    "at least": _bound,
    "at most": _bound,
    "equals": _bound,
    "one of": _choices,
    "present": _true_or_false,
    "severity": _severity,
}

_NAMED = {"components": COMPONENT, "constraints": CONSTRAINT}


def problems(found: Iterable[Write]) -> list[str]:
    """What is wrong with the writes of a block, each with file, line and path; one thing is said once."""
    said = (f"{write.origin.place}: {what}" for write in found for what in _problems(write))
    return list(dict.fromkeys(said))


def _problems(write: Write) -> Iterator[str]:
    at, wrong = _shape(write)
    if wrong:
        yield f"{paths.text(write.path[:at])}: {wrong}" if at else wrong
    yield from (f"{paths.text(write.path)}: {what}" for what in (*_reason(write.origin), _value(write)) if what)


def _shape(write: Write) -> tuple[int, str]:
    """How many keys of the path are right, and what is wrong behind them."""
    section, *rest = write.path
    if section not in SECTIONS:
        return 0, naming.unknown("section", section, SECTIONS)
    if write.path[:2] == ("artifacts", "charts"):
        return 2, "is made from the components; set the component's chart, version and repository"
    if section in _NAMED:
        return _named(write, section, rest)
    wrong = "" if rest or write.kind in {"empty", "delete"} else f"must be a mapping; found {write.value!r}"
    return 1, wrong


def _named(write: Write, section: str, rest: list[str]) -> tuple[int, str]:
    if len(rest) < 2:
        if write.kind == "empty" or (write.kind == "delete" and rest and section == "constraints"):
            return 0, ""
        if write.kind == "delete":
            return len(write.path), "can't be deleted; a component that should not run has `enabled: false`"
        return len(write.path), f"must be a mapping; found {write.value!r}"
    fields = _NAMED[section]
    name, field, *deeper = rest
    if field not in fields:
        return 2, naming.unknown(f"key of {section.removesuffix('s')} {name}", field, fields)
    return 3, _field(write, field, fields[field], bool(deeper))


def _field(write: Write, field: str, check: Check | None, deeper: bool) -> str:
    if check is None:
        fits = deeper or write.kind in {"empty", "delete"}
        return "" if fits else f"must be a mapping; found {write.value!r}"
    if deeper or write.kind == "empty":
        return "must not be a mapping"
    if write.kind == "delete":
        return "is what a component is, and can't be deleted" if field in IDENTITY else ""
    if write.kind == "append" and check is not _names:
        return "is no list of names, so nothing can be appended"
    return check(write.value)


def _reason(origin: Origin) -> Iterator[str]:
    for key, said in (("because", origin.because), ("source", origin.source)):
        if said is not None and (wrong := _text(said)):
            yield f"{key} {wrong}"


def _value(write: Write) -> str:
    if write.kind == "set" and isinstance(write.value, dict):
        return "`value` beside `because` must be a scalar or a list, not a mapping"
    return plain(write.value)


def plain(value: Any) -> str:
    """What keeps a value out of JSON; empty where nothing does."""
    if isinstance(value, Mapping | list | tuple):
        keys = value if isinstance(value, Mapping) else ()
        wrong = next((f"a key must be text; found {key!r}" for key in keys if not isinstance(key, str)), "")
        return wrong or next(filter(None, map(plain, value.values() if isinstance(value, Mapping) else value)), "")
    if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        return f"is not text that UTF-8 can hold; found {value!r}"
    fits = value is None or isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
    return "" if fits else f"is nothing that JSON can hold; found {value!r}"
