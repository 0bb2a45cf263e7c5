"""Seen: the objects that a reader got from a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tessera.dra.stock import Object


@dataclass(frozen=True)
class Seen:
    """Objects of a cluster, or of one namespace of it.

    slices, classes, events, controllers: None where the reader may not read them. events: those that tell of a refusal.
    controllers: ReplicaSets, StatefulSets and Jobs. whole: whether it is all namespaces.
    """

    claims: Sequence[Object]
    pods: Sequence[Object] = ()
    slices: Sequence[Object] | None = None
    classes: Sequence[Object] | None = None
    events: Sequence[Object] | None = ()
    controllers: Sequence[Object] | None = None
    whole: bool = True
