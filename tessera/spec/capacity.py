"""How the machines of a cloud pool are bought."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Discriminator, Tag

from tessera.spec.allowed import Allowed, Reservation
from tessera.spec.model import SETTINGS, WORD, OneOf, branch

_ALLOWED = "on-demand, spot, {block: cr-...}, {reservation: cr-...}"


class CapacityFrom(OneOf):
    """Machines that were set aside."""

    block: Reservation | None = None
    """A Capacity Block for ML: paid up front, for fixed days."""

    reservation: Reservation | None = None
    """An On-Demand Capacity Reservation."""


type Capacity = Annotated[
    Annotated[
        Annotated[Literal["on-demand", "spot"], Allowed(_ALLOWED, "capacity", ("block", "reservation"))], Tag(WORD)
    ]
    | Annotated[CapacityFrom, Tag(SETTINGS)],
    Discriminator(branch),
]
