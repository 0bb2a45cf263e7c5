"""Kinds of values: what a chart expects at a path, and whether a value is of that kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WORDS = {
    "string": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "list": "a list",
    "map": "a mapping",
}
"""By kind, as messages name it. `null` and `any` take everything."""

_EITHER = ("maxUnavailable", "maxSurge", "minAvailable", "targetPort")
"""Fields that Kubernetes takes as a number or as text (a share, a port's name)."""


def kind(value: Any) -> str:
    """The kind of a plain value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    if isinstance(value, float):
        return "float"
    if isinstance(value, str):
        return "string"
    return "map" if isinstance(value, Mapping) else "list"


def wrong(value: Any, wanted: str, key: str) -> str:
    """What is wrong with a value; empty where it fits. wanted: kinds joined by `|`; key: the last one of the path."""
    allowed = set(wanted.split("|"))
    found = kind(value)
    if allowed & {"any", "null"} == allowed or found in allowed or (found == "int" and "float" in allowed):
        return ""
    if key in _EITHER and allowed <= {"int", "string", "null"} and found == "string":
        return ""
    said = " or ".join(WORDS[one] for one in sorted(allowed) if one in WORDS)
    return f"must be {said}; found {_shown(value)}{_hint(found, allowed, value)}"


def _hint(found: str, allowed: set[str], value: Any) -> str:
    if "string" in allowed and found in {"int", "float", "bool"}:
        return "; write it in quotes"
    if found == "string" and (
        (allowed & {"int", "float"} and str(value).lstrip("-").replace(".", "", 1).isdigit())
        or ("bool" in allowed and value in {"true", "false"})
    ):
        return "; write it without quotes"
    return ""


def _shown(value: Any) -> str:
    return repr(value) if not isinstance(value, Mapping | list) else WORDS[kind(value)]
