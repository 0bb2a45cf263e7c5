"""MIG: the profiles of each GPU, where they may be placed, and whether a layout is legal.

Profile names depend on what the driver reports; the tables hold what current drivers say. Discover names on a
machine before trusting them there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from tessera import naming
from tessera.errors import ProblemsError, TesseraError
from tessera.hardware import gpus
from tessera.hardware.engines import Engines, engines
from tessera.hardware.gpus import NO_MIG, Gpu
from tessera.hardware.rows import Row, table

ON_DEMAND_SINCE = 9
"""Major compute capability from which the mode changes without a reset: Hopper."""


@dataclass(frozen=True)
class MigProfile:
    """One profile on one GPU; None is unknown. id: GPU instance profile id, as nvidia-smi mig -lgip prints it.

    compute, memory: slices that it takes, of compute_of and memory_of on the GPU. limit: instances of it on one GPU.
    starts: memory slices at which it may start. media: sets of media engines that it takes, where they are counted.
    sms: multiprocessors. memory_mib: MiB as the driver publishes it; it is below what the name says. engines: that it
    takes.
    """

    name: str
    id: int
    compute: int
    compute_of: int
    memory: int
    memory_of: int
    limit: int
    starts: tuple[int, ...]
    media: int
    sms: int | None
    memory_mib: int | None
    engines: Engines

    @property
    def resource(self) -> str:
        """What the device plugin calls it with strategy mixed."""
        return f"nvidia.com/mig-{self.name.replace('+', '.')}"

    @property
    def share(self) -> tuple[int, int, int, int]:
        """What the name stands for: slices of compute and of memory, each with the whole."""
        return self.compute, self.compute_of, self.memory, self.memory_of


@dataclass(frozen=True, order=True)
class Placement:
    """A profile, by name, at a memory slice."""

    start: int
    profile: str

    def __str__(self) -> str:
        return f"{self.profile}@{self.start}"


@dataclass(frozen=True)
class MigTable:
    """One GPU's profiles by name, and its bounds in slices. media: sets of media engines; 0 is no bound."""

    compute: int
    memory: int
    media: int
    profiles: dict[str, MigProfile]


def cut_on_demand(gpu: Gpu) -> bool | None:
    """Whether its MIG devices can come and go while it runs, so not on Ampere; None is unknown."""
    if gpu.mig is None:
        return None
    return gpu.mig != NO_MIG and int(gpu.compute_capability.split(".")[0]) >= ON_DEMAND_SINCE


def profiles(gpu: Gpu) -> tuple[MigProfile, ...]:
    """The GPU's profiles, small ones first. Raises TesseraError where it has none or they are unknown."""
    return tuple(_table(gpu).profiles.values())


def profile(gpu: Gpu, name: str) -> MigProfile:
    """The GPU's profile called name. Raises TesseraError that names the GPUs which do have it."""
    found = _table(gpu).profiles
    if name not in found:
        raise TesseraError(f"GPU {gpu.key}: {_unknown(found, name)}")
    return found[name]


def gpus_with(name: str) -> dict[str, MigProfile]:
    """The profile called name on each GPU that has one, by the GPU's key."""
    tables = {key: _table_of(gpus.gpu(key).mig) for key in gpus.names()}
    return {key: found.profiles[name] for key, found in tables.items() if found and name in found.profiles}


def one_meaning(name: str, among: Iterable[Gpu]) -> MigProfile:
    """The profile called name, if it is the same share of each of these GPUs.

    1g.24gb is a quarter of an RTX PRO 6000, but a seventh of the compute of an H100 NVL. Raises TesseraError where
    the name stands for different shares, or one GPU lacks it.
    """
    found = {gpu.key: profile(gpu, name) for gpu in among}
    if not found:
        raise TesseraError(f"MIG profile {name!r}: no GPU is named; name the GPUs that it is meant for")
    if len({one.share for one in found.values()}) > 1:
        meanings = "; ".join(f"on {key} {_say_share(one)}" for key, one in found.items())
        raise TesseraError(
            f"MIG profile {name!r}: is not the same on these GPUs; found {meanings}; "
            "allowed: one share; name the product beside the profile"
        )
    return next(iter(found.values()))


def device_name(minor: int, found: MigProfile, start: int) -> str:
    """What the DRA driver calls the device: gpu-<minor>-mig-<profile>-<profile id>-<placement start>."""
    plain = re.sub(r"[^a-z0-9-]", "-", found.name.replace(".", "").lower()).strip("-")
    return f"gpu-{minor}-mig-{plain}-{found.id}-{start}"


def check_layout(gpu: Gpu, placements: Sequence[Placement]) -> None:
    """Whether one GPU can hold these instances at once. Raises ProblemsError with all that is wrong."""
    bounds, where = _table(gpu), f"MIG layout of {gpu.key}"
    strange = {one.profile: None for one in placements if one.profile not in bounds.profiles}
    problems = [_unknown(bounds.profiles, name) for name in strange]
    known = [(one, bounds.profiles[one.profile]) for one in placements if one.profile in bounds.profiles]
    problems += [_misplaced(one, found) for one, found in known if one.start not in found.starts]
    problems += _overlaps(known)
    problems += _beyond(bounds, [found for _, found in known])
    if problems:
        raise ProblemsError([f"{where}: {problem}" for problem in problems])


def place(gpu: Gpu, counts: Mapping[str, int]) -> tuple[Placement, ...]:
    """Placements for so many instances of each profile on one GPU, the lowest ones that fit.

    Raises ProblemsError where a profile is unknown, a bound is exceeded, or nothing fits.
    """
    bounds, where = _table(gpu), f"MIG layout of {gpu.key}"
    problems = [_unknown(bounds.profiles, name) for name in counts if name not in bounds.profiles]
    problems += [f"{name}: found {count}, allowed 0 or more" for name, count in counts.items() if count < 0]
    if not problems:
        problems = _beyond_counts(bounds, counts)
    if problems:
        raise ProblemsError([f"{where}: {problem}" for problem in problems])
    wanted = [bounds.profiles[name] for name, count in counts.items() for _ in range(count)]
    found = _fit(sorted(wanted, key=lambda one: (-one.memory, -one.compute, one.name)), frozenset())
    if found is None:
        asked = ", ".join(f"{count} x {name}" for name, count in counts.items() if count)
        raise ProblemsError([f"{where}: {asked} fit in no way; allowed: {bounds.memory} memory slices; ask for less"])
    return tuple(sorted(found))


def _fit(wanted: Sequence[MigProfile], taken: frozenset[int]) -> tuple[Placement, ...] | None:
    if not wanted:
        return ()
    first, *rest = wanted
    for start in first.starts:
        slices = frozenset(range(start, start + first.memory))
        found = None if slices & taken else _fit(rest, taken | slices)
        if found is not None:
            return (Placement(start, first.name), *found)
    return None


def _misplaced(one: Placement, found: MigProfile) -> str:
    return f"{one.profile} can't start there; found {one.start}, allowed {_listed(found.starts)}; move it"


def _overlaps(known: Sequence[tuple[Placement, MigProfile]]) -> list[str]:
    return [
        f"{one} and {other} overlap; found both on memory slices {_listed(shared)}; move or drop one"
        for at, (one, first) in enumerate(known)
        for other, second in known[at + 1 :]
        if (shared := sorted(_slices(one, first) & _slices(other, second)))
    ]


def _slices(one: Placement, found: MigProfile) -> set[int]:
    return set(range(one.start, one.start + found.memory))


def _beyond(bounds: MigTable, found: Sequence[MigProfile]) -> list[str]:
    names = [one.name for one in found]
    return _beyond_counts(bounds, {name: names.count(name) for name in names})


def _beyond_counts(bounds: MigTable, counts: Mapping[str, int]) -> list[str]:
    rows = [(bounds.profiles[name], count) for name, count in counts.items()]
    problems = [
        f"too many of {one.name}; found {count}, allowed {one.limit}; drop {count - one.limit}"
        for one, count in rows
        if count > one.limit
    ]
    compute = sum(one.compute * count for one, count in rows)
    if compute > bounds.compute:
        problems.append(f"too many compute slices; found {compute}, allowed {bounds.compute}; take smaller profiles")
    media = sum(one.media * count for one, count in rows)
    if bounds.media and media > bounds.media:
        problems.append(
            f"too many sets of media engines; found {media}, allowed {bounds.media}; take -me profiles beside +me.all"
        )
    return problems


def _unknown(have: Iterable[str], name: str) -> str:
    """The unknown name, and the GPUs on which it does exist: the same name may be another share there."""
    elsewhere = "; ".join(f"on {key} it is {_say_share(one)}" for key, one in gpus_with(name).items())
    return naming.unknown("MIG profile", name, have) + (f"; {elsewhere}" if elsewhere else "")


def _say_share(one: MigProfile) -> str:
    return f"{one.compute}/{one.compute_of} of compute and {one.memory}/{one.memory_of} of memory"


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _table(gpu: Gpu) -> MigTable:
    found = _table_of(gpu.mig)
    if gpu.mig == NO_MIG:
        raise TesseraError(f"GPU {gpu.key}: has no MIG; use whole GPUs, time-slicing or MPS")
    if found is None:
        raise TesseraError(
            f"GPU {gpu.key}: its MIG profiles are unknown; read them with nvidia-smi mig -lgip and -lgipp"
        )
    return found


@cache
def _table_of(key: str | None) -> MigTable | None:
    """The table called key; None for a GPU without MIG, or with an unknown table."""
    if key is None or key == NO_MIG:
        return None
    row = table("mig")["tables"].row(key)
    geometry = table("mig")["geometries"].row(row.text("geometry"))
    chip = table("mig")["engines"].row(row.text("engines")).row("profiles")
    places = geometry.row("profiles").named()
    compute, memory = geometry.number("compute"), geometry.number("memory")
    found = [
        _profile(named, places[kind], engines(chip.row(kind)), compute, memory)
        for kind, named in row.row("profiles").named().items()
    ]
    return MigTable(compute, memory, geometry.number("media"), {one.name: one for one in found})


def _profile(named: Row, placed: Row, takes: Engines, compute_of: int, memory_of: int) -> MigProfile:
    return MigProfile(
        name=named.text("name"),
        id=placed.number("id"),
        compute=placed.number("compute"),
        compute_of=compute_of,
        memory=placed.number("memory"),
        memory_of=memory_of,
        limit=placed.number("max"),
        starts=placed.numbers("starts"),
        media=placed.number("media"),
        sms=named.maybe_number("sms"),
        memory_mib=named.maybe_number("memory_mib"),
        engines=takes,
    )
