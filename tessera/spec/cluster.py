"""The cluster of a stack: criteria of the whole."""

from __future__ import annotations

from typing import Annotated, Literal

from tessera.spec.allowed import Allowed
from tessera.spec.model import Model

Service = Annotated[Literal["eks", "metal", "lab"], Allowed(word="service")]
Kubernetes = Annotated[Literal["1.36", "1.37"], Allowed(word="minor version")]
Intent = Annotated[Literal["training", "inference", "interactive"], Allowed(word="intent")]
Framework = Annotated[Literal["kubeflow", "dynamo", "none"], Allowed(word="framework")]


class Cluster(Model):
    """What the cluster runs on, and what for."""

    service: Service
    """Who provides the machines: eks (AWS), metal (own racks) or lab (simulated on this machine)."""

    kubernetes: Kubernetes = "1.36"
    """Minor version of Kubernetes, in quotes."""

    intent: Intent | None = None
    """What the cluster is for; without it, no layer of an intent is taken."""

    framework: Framework = "none"
    """What runs the work on top of the platform."""
