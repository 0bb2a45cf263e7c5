"""A plan as plain values, and a fleet from them: what a plan prints is what the next plan reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tessera import naming
from tessera.errors import ProblemsError, TesseraError
from tessera.hardware import gpus
from tessera.hardware.mig import Placement
from tessera.mig.cut import Cut, Slices
from tessera.mig.fleet import MigGpu
from tessera.mig.plan import Plan

_KEYS = ("node", "index", "gpu", "layout", "in_use", "whole")
_TOLD = ("order", "changed", "recut", "wiped", "waste")
"""Keys that a plan adds to a GPU; a fleet is read without them."""


def plain(plan: Plan) -> dict[str, Any]:
    """The plan as text, numbers, lists and mappings."""
    return {
        "gpus": [_gpu(one) for one in plan.cuts],
        "moves": [
            {"do": move.verb, "gpu": move.gpu, "profile": move.placement.profile, "start": move.placement.start}
            for move in plan.moves
        ],
        "used": len(plan.used),
        "whole": len(plan.whole),
        "fewest": plan.fewest,
        "recut": [one.gpu.name for one in plan.recut],
        "extra": dict(plan.extra),
        "slices": {"used": _slices(plan.taken), "of": _slices(plan.available), "waste": _slices(plan.waste)},
    }


def fleet(value: Any, where: str) -> tuple[MigGpu, ...]:
    """GPUs from a list of mappings, or from a plan's. Raises ProblemsError with all that is wrong."""
    rows = value.get("gpus") if isinstance(value, Mapping) else value
    if not isinstance(rows, list) or not rows:
        raise ProblemsError([f"{where}: found no GPUs, allowed a list of {{{', '.join(_KEYS)}}}; write one a GPU"])
    found, problems = [], []
    for at, row in enumerate(rows):
        wrong = list(_wrong(row))
        problems += [f"{where}: GPU {at + 1}: {problem}" for problem in wrong]
        if not wrong:
            found.append(_read(row))
    if problems:
        raise ProblemsError(problems)
    return tuple(found)


def _gpu(one: Cut) -> dict[str, Any]:
    return {
        "node": one.gpu.node,
        "index": one.gpu.index,
        "gpu": one.gpu.gpu.key,
        "layout": [str(placement) for placement in one.layout],
        "in_use": one.gpu.in_use,
        "whole": one.gpu.whole,
        "order": [str(placement) for placement in one.order],
        "changed": one.changed,
        "recut": one.recut,
        "wiped": [str(placement) for placement in one.wiped] if one.recut else [],
        "waste": _slices(one.waste),
    }


def _slices(slices: Slices) -> dict[str, int]:
    return {"compute": slices.compute, "memory": slices.memory}


def _wrong(row: Any) -> Iterator[str]:
    if not isinstance(row, Mapping):
        yield f"found {row!r}, allowed a mapping of {', '.join(_KEYS)}"
        return
    yield from (naming.unknown("key", str(key), _KEYS) for key in row if key not in (*_KEYS, *_TOLD))
    for key, kind, said in (("node", str, "a text"), ("index", int, "a whole number"), ("gpu", str, "a GPU's key")):
        if type(row.get(key)) is not kind:
            yield f"{key}: found {row.get(key)!r}, allowed {said}"
    for key in ("in_use", "whole"):
        if not isinstance(row.get(key, False), bool):
            yield f"{key}: found {row[key]!r}, allowed true or false"
    if isinstance(row.get("gpu"), str) and row["gpu"] not in gpus.names():
        yield naming.unknown("GPU", row["gpu"], gpus.names())
    layout = row.get("layout", [])
    if not isinstance(layout, list):
        yield f"layout: found {layout!r}, allowed a list such as [3g.40gb@4]"
        return
    for text in layout:
        try:
            _placement(text)
        except TesseraError as error:
            yield f"layout: {error}"


def _read(row: Mapping[str, Any]) -> MigGpu:
    layout = tuple(sorted(_placement(text) for text in row.get("layout", [])))
    return MigGpu(
        row["node"], row["index"], gpus.gpu(row["gpu"]), layout, row.get("in_use", False), row.get("whole", False)
    )


def _placement(text: Any) -> Placement:
    name, at, start = text.rpartition("@") if isinstance(text, str) else ("", "", "")
    if not (name and at and start.isascii() and start.isdigit()):
        raise TesseraError(f"found {text!r}, allowed PROFILE@START, such as 3g.40gb@4")
    return Placement(int(start), name)
