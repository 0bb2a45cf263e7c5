"""A workload: a service that comes with the stack."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tessera.dra.workloads import ClaimingService
from tessera.spec.allowed import ClassName, Count, LabelKey, LabelValue, Name, Text, Word
from tessera.spec.model import Model


class Workload(Model):
    """A Deployment whose pods each claim one device of a class through a template."""

    name: Name
    """Of the Deployment; differs within a namespace."""

    namespace: Name
    """Made by the stack."""

    replicas: Count
    """Count of pods."""

    labels: dict[LabelKey, LabelValue] = Field(default_factory=dict)
    """Labels of the Deployment, its selector and its pods."""

    container: Name
    """Of the pod's one container."""

    image: Word
    """The container's image."""

    env: dict[Word, Text] = Field(default_factory=dict)
    """Environment of the container."""

    claim: Name
    """Of the claim within the pod."""

    template: Name
    """Of the ResourceClaimTemplate."""

    request: Name
    """Of the request within the claim."""

    device_class: Annotated[ClassName, Field(alias="class")]
    """One of tessera:classes of this file."""

    def service(self) -> ClaimingService:
        """The same in the words of tessera.dra."""
        return ClaimingService(**self.model_dump())
