"""A GPU's layout as a strip of its memory slices: `[3g.40gb....][2g.20gb..]`; slices that nobody has are dots."""

from __future__ import annotations

from collections.abc import Iterable

from tessera.hardware import gpus
from tessera.hardware.mig import profile, profiles
from tessera.mig.space import Layout

_FREE = "."
_NARROW = 3
"""Characters of a slice, at least."""


def slice_width(product: str, layouts: Iterable[Layout]) -> int:
    """Characters that a slice needs so that every instance of these layouts has room for its name."""
    sizes = {one.name: one.memory for one in profiles(gpus.gpu(product))}
    names = {one.profile for layout in layouts for one in layout}
    return max((-(-(len(name) + 2) // sizes[name]) for name in names), default=_NARROW)


def picture(product: str, layout: Layout, width: int) -> str:
    """The strip, with so many characters for each slice."""
    gpu = gpus.gpu(product)
    strip = _FREE * (width * profiles(gpu)[0].memory_of)
    for one in layout:
        start, size = one.start * width, profile(gpu, one.profile).memory * width
        strip = f"{strip[:start]}[{one.profile:{_FREE}<{size - 2}}]{strip[start + size :]}"
    return strip
