"""A tenant: people who share a part of the cluster."""

from __future__ import annotations

from pydantic import Field

from tessera.spec.allowed import ClassName, Devices, Name, Word
from tessera.spec.model import Model


class Tenant(Model):
    """A namespace, who may work in it, and how many devices of each class it may claim."""

    name: Name
    """Its name, and its namespace's."""

    groups: tuple[Word, ...]
    """Groups of the identity provider whose members belong to it."""

    quota: dict[ClassName, Devices] = Field(default_factory=dict)
    """Devices of each class that it may claim at once; a class that is left out may not be claimed."""
