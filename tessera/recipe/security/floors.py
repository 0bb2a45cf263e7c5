"""Floors: the first fixed version of each part, from recipes/security.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tessera import data
from tessera.versions import before, numbers


@dataclass(frozen=True)
class Floor:
    """what: driver, toolkit, gpu-operator or device-plugin; branch: of a driver; date: ISO month of the source."""

    what: str
    at_least: str
    cves: tuple[str, ...]
    source: str
    date: str
    branch: str = ""


@cache
def floors() -> tuple[Floor, ...]:
    """All of them, in the order of the file."""
    rows = data.load("security.yaml")["floors"]
    return tuple(
        Floor(
            row["what"], str(row["atLeast"]), tuple(row["cves"]), row["source"], str(row["date"]), row.get("branch", "")
        )
        for row in rows
    )


def below(what: str, version: str) -> str:
    """What is wrong with a version; empty where nothing is, or where it has no number to compare (a digest)."""
    found = numbers(version)
    rows = [one for one in floors() if one.what == what]
    if not found or not rows:
        return ""
    if not rows[0].branch:
        return _told(version, rows[0]) if before(version, rows[0].at_least) else ""
    own = next((one for one in rows if one.branch == str(found[0])), None)
    if own:
        return _told(version, own) if len(found) > 1 and before(version, own.at_least) else ""
    if found[0] > max(int(one.branch) for one in rows):
        return ""
    known = ", ".join(f"{one.branch} from {one.at_least} on" for one in rows)
    return f"found {version}, a branch without a published fix of {', '.join(rows[0].cves)}; allowed: {known}"


def _told(version: str, floor: Floor) -> str:
    cves = ", ".join(floor.cves)
    return (
        f"found {version}, allowed: {floor.at_least} or later ({cves}; {floor.source}, {floor.date}); pin a newer one"
    )
