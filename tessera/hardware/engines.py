"""Engines: what a MIG profile takes of a chip beside multiprocessors and memory."""

from __future__ import annotations

from dataclasses import dataclass

from tessera.hardware.rows import Row


@dataclass(frozen=True)
class Engines:
    """Counts of engines; None is unknown. copy: copy engines. jpeg: JPEG decoders. ofa: optical flow accelerators."""

    copy: int | None
    decoders: int | None
    encoders: int | None
    jpeg: int | None
    ofa: int | None


def engines(row: Row) -> Engines:
    """The engines of one profile's row."""
    return Engines(*(row.maybe_number(key) for key in ("copy", "decoders", "encoders", "jpeg", "ofa")))
