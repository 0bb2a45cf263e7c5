"""How pods share the GPUs of a pool. docs/sharing.md says which way is for whom."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag, TypeAdapter

from tessera.sharing.way import Part, Way
from tessera.spec.allowed import Allowed, Clients, Index, Instances, Replicas, Word
from tessera.spec.model import SETTINGS, WORD, Model, branch

_ALLOWED = (
    "dra, dynamic-mig, none, {mig: {profiles: {1g.10gb: 7}}}, {mps: {replicas: 4}}, {time-slicing: {replicas: 4}}"
)


class Seats(Model):
    """Some GPUs of each machine of the pool, and what they become."""

    gpus: Annotated[tuple[Index, ...], Field(min_length=1)]
    """Their indexes, as nvidia-smi counts them."""

    profiles: dict[Word, Instances] = Field(default_factory=dict)
    """MIG devices of each profile on one of these GPUs; without any they stay whole."""


class Mig(Model):
    """GPUs cut into MIG devices: all of a machine alike, or one by one. Every machine of a pool is cut alike."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    profiles: dict[Word, Instances] = Field(default_factory=dict)
    """MIG devices of each profile on every GPU, such as {3g.40gb: 1, 1g.10gb: 4}."""

    layout: tuple[Seats, ...] = ()
    """GPU by GPU; a GPU that no row names stays whole."""


class TimeSlicing(Model):
    """Pods take turns on a device, without walls between their memory."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    replicas: Replicas | None = None
    """Pods on one whole GPU."""

    profiles: dict[Word, Replicas] = Field(default_factory=dict)
    """Pods on one MIG device of each profile, where the pool has such devices."""


class Mps(Model):
    """Pods run at once on one GPU through CUDA's Multi-Process Service."""

    replicas: Clients
    """Pods on one GPU."""


class SharingBy(Model):
    """A way to share that has settings: one of them, or mig with time-slicing; tessera.spec.ways sees to it."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 2})

    mig: Mig | None = None
    """MIG devices, cut once for the pool."""

    time_slicing: Annotated[TimeSlicing | None, Field(alias="time-slicing")] = None
    """Turns on whole GPUs, and on MIG devices where there are some."""

    mps: Mps | None = None
    """Several processes on one GPU at once."""

    @property
    def kind(self) -> str:
        """The sharing criterion: mig, with time-slicing or without, time-slicing or mps."""
        return "mig" if self.mig else "mps" if self.mps else "time-slicing"

    @property
    def way(self) -> Way:
        """As plain values."""
        mig, turns = self.mig or Mig(), self.time_slicing or TimeSlicing()
        return Way(
            kind=self.kind,
            profiles=dict(mig.profiles),
            layout=tuple(Part(row.gpus, dict(row.profiles)) for row in mig.layout),
            replicas=(self.mps or turns).replicas or 1,
            slices=dict(turns.profiles),
        )


type Sharing = Annotated[
    Annotated[
        Annotated[Literal["dra", "dynamic-mig", "none"], Allowed(_ALLOWED, "sharing", ("mig", "mps", "time-slicing"))],
        Tag(WORD),
    ]
    | Annotated[SharingBy, Tag(SETTINGS)],
    Discriminator(branch),
]

SHARING: TypeAdapter[Sharing] = TypeAdapter(Sharing)


def way_of(sharing: Sharing) -> Way:
    """A way to share as plain values."""
    return sharing.way if isinstance(sharing, SharingBy) else Way(sharing)
