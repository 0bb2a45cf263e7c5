"""How pods share the GPUs of a pool."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from tessera.spec.allowed import Allowed, Clients, Instances, Replicas, Word
from tessera.spec.model import SETTINGS, WORD, Model, OneOf, branch

_ALLOWED = "dra, none, {mig: {profiles: {1g.10gb: 7}}}, {mps: {replicas: 4}}, {time-slicing: {replicas: 4}}"


class Mig(Model):
    """GPUs cut into MIG devices, all of a pool alike."""

    profiles: dict[Word, Instances]
    """MIG devices of each profile on one GPU, such as {3g.40gb: 1, 1g.10gb: 4}."""


class TimeSlicing(Model):
    """Pods take turns on a whole GPU, without walls between their memory."""

    replicas: Replicas
    """Pods on one GPU."""


class Mps(Model):
    """Pods run at once on one GPU through CUDA's Multi-Process Service."""

    replicas: Clients
    """Pods on one GPU."""


class SharingBy(OneOf):
    """A way to share that has settings."""

    mig: Mig | None = None
    """MIG devices, cut once for the pool."""

    time_slicing: Annotated[TimeSlicing | None, Field(alias="time-slicing")] = None
    """Turns on whole GPUs."""

    mps: Mps | None = None
    """Several processes on one GPU at once."""


type Sharing = Annotated[
    Annotated[
        Annotated[Literal["dra", "none"], Allowed(_ALLOWED, "sharing", ("mig", "mps", "time-slicing"))], Tag(WORD)
    ]
    | Annotated[SharingBy, Tag(SETTINGS)],
    Discriminator(branch),
]
