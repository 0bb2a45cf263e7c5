"""Versions of charts: which steps from one to another may break what runs."""

from __future__ import annotations

import re

from tessera.errors import TesseraError

_NUMBERS = re.compile(r"^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+].*)?$")


def series(version: str) -> tuple[int, ...]:
    """What a version is compatible within: its major number, and below 1 its minor number too.

    Raises TesseraError where it is no version.
    """
    found = _NUMBERS.match(version)
    if not found:
        raise TesseraError(f"chart version: is no version; found {version!r}; write it as 1.2.3")
    major, minor = int(found[1]), int(found[2] or 0)
    return (major,) if major else (0, minor)


def refusal(name: str, installed: str, wanted: str, allow_major: bool) -> str:
    """Why a component's step from one version to another is refused; empty where it isn't."""
    if allow_major or installed == wanted or series(installed) == series(wanted):
        return ""
    return (
        f"component {name}: {installed} -> {wanted} is a step to another major version, which may break what it "
        "serves; read its release notes, then allow it by allowMajor for this component"
    )
