"""Ways to share that a machine can't be shared in, each with the place in `sharing` that says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tessera import naming
from tessera.errors import ProblemsError
from tessera.hardware import mig
from tessera.hardware.gpus import NO_MIG
from tessera.hardware.machines import Machine
from tessera.sharing.way import DYNAMIC_MIG, Way

type Path = tuple[str | int, ...]
type Refusals = Iterator[tuple[Path, str]]

MIG, TURNS = ("sharing", "mig"), ("sharing", "time-slicing")
LONGEST = 60
"""Characters of a profile's name that a message repeats."""


def problems(machine: Machine, way: Way, whole: bool = True) -> Refusals:
    """What is wrong, with its path in a pool. whole: all of it could be read; else only its words are judged."""
    if way.kind == DYNAMIC_MIG:
        yield from _on_demand(machine)
    elif way.kind == "mig" and machine.gpu.mig == NO_MIG:
        said = f"{machine.kind} {machine.key} has no MIG ({machine.gpu.key})"
        yield ("sharing",), f"found mig; {said}; allowed: dra, none, mps, time-slicing"
    elif way.kind == "mig":
        yield from _seats(machine, way)
        for path, part in _parts(way):
            yield from _strange(machine, path, part)
            yield from _misfits(machine, path, part) if whole else ()
    if whole:
        yield from _untouched(way)
        yield from _turns(machine, way)


def _on_demand(machine: Machine) -> Refusals:
    """GPUs that can't be cut while they run, with what they can instead."""
    if mig.cut_on_demand(machine.gpu) is False:
        has = machine.gpu.mig != NO_MIG
        why = "changes its MIG mode by a reset only" if has else "has no MIG"
        allowed = ", ".join(("dra", *(("mig",) if has else ()), "none", "mps", "time-slicing"))
        said = f"{machine.kind} {machine.key} {why} ({machine.gpu.key})"
        yield ("sharing",), f"found dynamic-mig; {said}; allowed: {allowed}"


def _seats(machine: Machine, way: Way) -> Refusals:
    """GPUs of a layout that are not there, or are there twice."""
    first: dict[int, str] = {}
    for at, part in enumerate(way.layout):
        for place, index in enumerate(part.gpus):
            path = (*MIG, "layout", at, "gpus", place)
            if not 0 <= index < machine.count:
                has = f"{machine.kind} {machine.key} has {machine.count}"
                yield path, f"found GPU {index}; {has}; allowed: 0 to {machine.count - 1}"
            elif index in first:
                yield path, f"GPU {index} is taken by {first[index]}; each may be there once"
            first.setdefault(index, f"layout[{at}].gpus[{place}]")


def _parts(way: Way) -> Iterator[tuple[Path, Mapping[str, int]]]:
    if way.profiles:
        yield (*MIG, "profiles"), way.profiles
    for at, part in enumerate(way.layout):
        yield (*MIG, "layout", at, "profiles"), part.profiles


def _strange(machine: Machine, path: Path, part: Mapping[str, int]) -> Refusals:
    names = _profiles(machine)
    for name in part if names else ():
        if name not in names:
            yield (*path, name), _unknown(name, names)


def _misfits(machine: Machine, path: Path, part: Mapping[str, int]) -> Refusals:
    names = _profiles(machine)
    if not names or not all(name in names for name in part):
        return
    try:
        mig.place(machine.gpu, part)
    except ProblemsError as error:
        yield from ((path, said) for said in error.problems)


def _untouched(way: Way) -> Refusals:
    """MIG that cuts nothing."""
    if way.kind == "mig" and way.layout and not way.named:
        yield (*MIG, "layout"), "cuts no GPU; allowed: profiles in one row at least; or share by none"


def _turns(machine: Machine, way: Way) -> Refusals:
    """Turns on devices that are not there, and none at all."""
    cut = way.named if way.kind == "mig" else ()
    for name in way.slices:
        if not cut:
            yield (*TURNS, "profiles"), "the pool has no MIG devices; allowed: beside mig only"
            break
        if name not in cut:
            yield (*TURNS, "profiles", name), f"no GPU of the pool is cut into {_short(name)}; allowed: {_list(cut)}"
    if way.kind == "mig" and way.replicas > 1 and all(way.by_gpu(machine.count)):
        yield (
            (*TURNS, "replicas"),
            f"found {way.replicas}, which are pods on a whole GPU, but every GPU is cut; "
            "allowed: profiles; or leave a GPU whole by mig.layout",
        )


def _profiles(machine: Machine) -> tuple[str, ...]:
    """Names of the profiles; none where nobody knows them."""
    known = machine.gpu.mig not in (None, NO_MIG)
    return tuple(one.name for one in mig.profiles(machine.gpu)) if known else ()


def _unknown(name: str, names: tuple[str, ...]) -> str:
    if len(name) <= LONGEST:
        return naming.unknown("MIG profile", name, names)
    return f"unknown MIG profile {_short(name)}; allowed: {_list(sorted(names))}"


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[:LONGEST]!r}... ({len(name)} characters)"


def _list(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names)
