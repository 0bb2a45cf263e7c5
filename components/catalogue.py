"""The catalogue in a stack: one DeviceClass for each service level that the stack offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.resource import v1 as resource

from components.labels import labelled
from tessera.dra.classes import ServiceClass, device_class

ChildOptions = Callable[[pulumi.Resource], pulumi.ResourceOptions]
"""Options for what a component puts on a cluster, given the component."""


@dataclass(frozen=True)
class CatalogueArgs:
    """classes: the service levels; child_options: how their objects reach the cluster; labels: of each object."""

    classes: Sequence[ServiceClass]
    child_options: ChildOptions
    labels: Mapping[str, str]


class Catalogue(pulumi.ComponentResource):
    """Makes a DeviceClass (resource.k8s.io/v1) per class, named like it."""

    def __init__(self, name: str, args: CatalogueArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:dra:Catalogue", name, None, opts)
        self.classes = {level.name: _device_class(level, args, args.child_options(self)) for level in args.classes}
        self.register_outputs({"classes": sorted(self.classes)})


def _device_class(level: ServiceClass, args: CatalogueArgs, opts: pulumi.ResourceOptions) -> resource.DeviceClass:
    manifest = device_class(level)
    metadata = labelled(manifest["metadata"], args.labels)
    return resource.DeviceClass(level.name, metadata=metadata, spec=manifest["spec"], opts=opts)
