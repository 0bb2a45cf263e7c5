"""Requirements: what a workload needs of a device, in words that selectors are made from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final

from tessera import naming
from tessera.dra import quantity
from tessera.errors import ProblemsError, TesseraError
from tessera.hardware import gpus, mig

GPU, MIG, NIC = "gpu", "mig", "nic"
DEVICES: Final = (GPU, MIG, NIC)
_WORDS = {
    GPU: ("memory", "memory_at_most", "compute_capability", "product", "architecture", "nvlink"),
    MIG: ("memory", "memory_at_most", "compute_capability", "product", "architecture", "profile"),
    NIC: (),
}
"""What can be asked of each kind of device."""

_SEMVER = re.compile(r"(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8})){2}", re.ASCII)

LONGEST = 64
"""Characters of a text in a requirement, as of a string in a device's attributes."""


@dataclass(frozen=True)
class Requirement:
    """One device like this. Raises ProblemsError with everything that is wrong.

    device: gpu (a whole one), mig (a MIG device of any GPU) or nic (an RDMA network card).
    memory, memory_at_most: quantities; GB are 10^9 bytes, so every product marketed with 24 GB satisfies 24G,
    although its driver reports fewer GiB. compute_capability: at least these three numbers, 8.9.0.
    product: keys of recipes/hardware/gpus.yaml, any of them. architecture: as NVIDIA calls it, Hopper.
    profile: a MIG profile by name, 1g.24gb. nvlink: whether the GPU must be one of those joined by NVLink.
    """

    device: str = GPU
    memory: str | None = None
    memory_at_most: str | None = None
    compute_capability: str | None = None
    product: tuple[str, ...] = ()
    architecture: str | None = None
    profile: str | None = None
    nvlink: bool = False

    def __post_init__(self) -> None:
        if problems := list(_problems({field.name: getattr(self, field.name) for field in fields(self)})):
            raise ProblemsError(problems)


def requirement(values: Mapping[str, Any]) -> Requirement:
    """A requirement from a mapping, as recipes/classes writes it; product may be one word or a list.

    Raises ProblemsError with every problem.
    """
    known = [field.name for field in fields(Requirement)]
    problems = [naming.unknown("requirement", str(key), known) for key in values if key not in known]
    stated = {key: _tuple(value) if key == "product" else value for key, value in values.items() if key in known}
    problems += [f"{key} has no value; write one, or take it out" for key in stated if stated[key] in (None, ())]
    problems += _problems({key: value for key, value in stated.items() if value is not None})
    if problems:
        raise ProblemsError(problems)
    return Requirement(**stated)


@cache
def nvlink_products() -> tuple[str, ...]:
    """Keys of the GPUs that NVLink joins on their board: those that are no cards, and whose name is known."""
    found = map(gpus.gpu, gpus.names())
    return tuple(one.key for one in found if one.form in {"sxm", "superchip"} and one.product is not None)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else (value,) if isinstance(value, str) else value


def _problems(values: Mapping[str, Any]) -> Iterator[str]:
    device = values.get("device", GPU)
    if device not in DEVICES:
        yield _bad_text("device", device) or naming.unknown("device", str(device), DEVICES)
    for name, value in values.items():
        if name == "device" or value is None or value == () or (name == "nvlink" and value is False):
            continue
        if device in DEVICES and name not in _WORDS[device]:
            yield f"{name} can't be asked of a {device}; allowed: {', '.join(_WORDS[device]) or 'nothing more'}"
        else:
            yield from _CHECKS[name](name, value)
    yield from _together(values)


def _together(values: Mapping[str, Any]) -> Iterator[str]:
    least, most = values.get("memory"), values.get("memory_at_most")
    if _is_quantity(least) and _is_quantity(most) and quantity.parse(str(least)) > quantity.parse(str(most)):
        yield f"memory {least} is more than memory_at_most {most}; no device is both"
    profile, product = values.get("profile"), values.get("product") or ()
    if not isinstance(product, tuple) or list(_products("", product)):
        return
    if isinstance(profile, str) and values.get("device") == MIG:
        yield from _ambiguous(profile, product)
    if values.get("nvlink") is True and (cards := [key for key in product if key not in nvlink_products()]):
        yield f"product {', '.join(cards)} has no NVLink; allowed with nvlink: {', '.join(nvlink_products())}"


def _ambiguous(profile: str, product: tuple[str, ...]) -> Iterator[str]:
    """A profile's name alone may stand for different shares: 1g.24gb is a quarter of one GPU, a seventh of another."""
    found = mig.gpus_with(profile)
    if not found:
        yield naming.unknown("MIG profile", profile, {one.name for key in gpus.names() for one in _profiles(key)})
    elif product and (missing := [key for key in product if key not in found]):
        yield f"profile {profile} is none of {', '.join(missing)}; it is one of {', '.join(found)}"
    elif len({one.share for key, one in found.items() if not product or key in product}) > 1:
        yield f"profile {profile} is another share on each of {', '.join(found)}; name the product beside it"


def _profiles(key: str) -> tuple[mig.MigProfile, ...]:
    try:
        return mig.profiles(gpus.gpu(key))
    except TesseraError:  # no MIG, or its table is unknown
        return ()


def _memory(name: str, value: Any) -> Iterator[str]:
    if (said := _bad_text(name, value)) is not None:
        yield said
        return
    try:
        amount = quantity.parse(value)
    except TesseraError as error:
        yield f"{name} {error}"
    else:
        if amount <= 0:
            yield f"{name} {value!r} must be more than nothing"


def _is_quantity(value: Any) -> bool:
    return isinstance(value, str) and not list(_memory("", value))


def _capability(name: str, value: Any) -> Iterator[str]:
    if (said := _bad_text(name, value)) is not None:
        yield said
    elif not _SEMVER.fullmatch(value):
        # semver("8.9") is an error at scheduling time, on every node: refuse it here.
        yield f"{name} {value!r} needs three numbers, such as 8.9.0"


def _products(name: str, value: Any) -> Iterator[str]:
    if not isinstance(value, tuple) or not all(isinstance(key, str) for key in value):
        yield f"{name} must be a GPU's name, or a list of them; found {value!r}"
        return
    yield from (f"product {key} is there twice; keep one" for key in dict.fromkeys(value) if value.count(key) > 1)
    yield from filter(None, map(_product, dict.fromkeys(value)))


def _product(key: str) -> str | None:
    if key not in gpus.names():
        return naming.unknown("product", key, gpus.names())
    return None if gpus.gpu(key).product else f"product {key}: what its driver calls it is unknown"


def _architecture(name: str, value: Any) -> Iterator[str]:
    known = {gpus.gpu(key).architecture for key in gpus.names()}
    if (said := _bad_text(name, value)) is not None:
        yield said
    elif value not in known:
        yield naming.unknown(name, value, known)


def _text(name: str, value: Any) -> Iterator[str]:
    if (said := _bad_text(name, value)) is not None:
        yield said


def _flag(name: str, value: Any) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"{name} must be true or false; found {value!r}"


def _bad_text(name: str, value: Any) -> str | None:
    if not isinstance(value, str):
        return _not_text(name, value)
    return f"{name} has {len(value)} characters, allowed {LONGEST}" if len(value) > LONGEST else None


def _not_text(name: str, value: Any) -> str:
    return f"{name} must be a text; found {value!r}; put it in quotes, or write a value"


_CHECKS: dict[str, Callable[[str, Any], Iterator[str]]] = {
    "memory": _memory,
    "memory_at_most": _memory,
    "compute_capability": _capability,
    "product": _products,
    "architecture": _architecture,
    "profile": _text,
    "nvlink": _flag,
}
