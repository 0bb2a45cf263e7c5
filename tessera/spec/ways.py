"""Ways to share that contradict themselves, or that their machines can't be shared in, read from plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from tessera.sharing import refusals
from tessera.sharing.labels import OWNED
from tessera.sharing.pool import SharedPool
from tessera.sharing.together import together
from tessera.sharing.way import Part, Way
from tessera.spec import machines
from tessera.spec.problem import Path, Problem
from tessera.spec.rows import mapping, rows, text
from tessera.spec.sharing import SHARING, way_of

KEYS = ("mig", "mps", "time-slicing")
_WHY = {
    ("mig", "mps"): "MPS of the device plugin does not serve MIG devices",
    ("mps", "time-slicing"): "the device plugin shares the GPUs of a node in one way",
}


def problems(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Problems of the pools' ways to share."""
    for at, pool in rows(values, "pools"):
        for path, said in (*_keys(pool), *_against_machine(pool), *_labels(pool)):
            yield Problem(("pools", at, *path), said)
    yield from _beside_each_other(values)


def _beside_each_other(values: Mapping[str, Any]) -> Iterator[Problem]:
    """Pools that can't be in one cluster, as far as they can be read."""
    found: dict[int, SharedPool] = {}
    for at, pool in rows(values, "pools"):
        machine = machines.known(text(pool, "board"), text(pool, "instance"))
        way = _read(pool.get("sharing", "dra"))
        if machine and way:
            found[at] = SharedPool(text(pool, "name") or "?", machine, way)
    places = list(found)
    for which, said in together(list(found.values())):
        yield Problem(("pools", places[which], "sharing"), said)


def _keys(pool: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Settings of which some must be there, or must not be together."""
    sharing = pool.get("sharing")
    if not isinstance(sharing, Mapping):
        return
    found = tuple(key for key in KEYS if key in sharing)
    if not found:
        yield ("sharing",), f"found none of its keys; allowed: one of {', '.join(KEYS)}, or mig with time-slicing"
    for pair, why in _WHY.items():
        if all(key in found for key in pair):
            allowed = "mig alone or with time-slicing" if "mig" in found else "one of them"
            yield ("sharing",), f"found {' and '.join(pair)}; {why}; allowed: {allowed}"
    yield from _one_layout(sharing)
    yield from _some_turns(sharing)


def _one_layout(sharing: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    cut = sharing.get("mig")
    if isinstance(cut, Mapping) and ("layout" in cut) == ("profiles" in cut):
        said = "layout and profiles" if "layout" in cut else "neither layout nor profiles"
        yield ("sharing", "mig"), f"found {said}; allowed: exactly one of them"
    elif isinstance(cut, Mapping):
        yield from ((("sharing", "mig", key), "is empty; cut something") for key in cut if cut[key] in ({}, []))


def _some_turns(sharing: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    turns = sharing.get("time-slicing")
    if isinstance(turns, Mapping) and "replicas" not in turns:
        if "mig" not in sharing:
            yield ("sharing", "time-slicing", "replicas"), "missing; allowed: a whole number, 2 to 1000"
        elif not turns.get("profiles"):
            said = "found neither replicas nor profiles; allowed: pods on a whole GPU, on a MIG device, or both"
            yield ("sharing", "time-slicing"), said


def _against_machine(pool: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    machine = machines.known(text(pool, "board"), text(pool, "instance"))
    if machine is None or "sharing" not in pool:
        return
    sharing = pool["sharing"]
    clash = any(all(key in mapping(pool, "sharing") for key in pair) for pair in _WHY)
    way = (None if clash else _read(sharing)) or (
        _read({"mig": sharing["mig"]}) if "mig" in mapping(pool, "sharing") else None
    )
    yield from refusals.problems(machine, way or _rough(sharing), whole=way is not None)


def _labels(pool: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Labels by which charts know what a node's pool says of sharing."""
    for key in map(str, mapping(pool, "labels")):
        if OWNED.fullmatch(key):
            yield (
                ("labels", key),
                "is set from what the pool says of sharing; take it out, and change `sharing` instead",
            )


def _read(sharing: Any) -> Way | None:
    """The way, if its form is right."""
    try:
        return way_of(SHARING.validate_python(sharing))
    except ValidationError:
        return None


def _rough(sharing: Any) -> Way:
    """What can be read of a way whose form is wrong."""
    if not isinstance(sharing, Mapping):
        return Way()
    kind = next((key for key in KEYS if key in sharing), "dra")
    cut = mapping(sharing, "mig")
    layout = tuple(Part(tuple(_indexes(row)), _counts(mapping(row, "profiles"))) for _, row in rows(cut, "layout"))
    return Way(kind, _counts(mapping(cut, "profiles")), layout)


def _indexes(row: Mapping[str, Any]) -> Iterator[int]:
    found = row.get("gpus")
    yield from (index for index in (found if isinstance(found, list) else ()) if type(index) is int)


def _counts(found: Mapping[str, Any]) -> dict[str, int]:
    """Every name with a count, be it a right one or not: names are all that is judged."""
    return {str(name): 1 for name in found}
