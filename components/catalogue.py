"""The catalogue in a stack: the DeviceClasses and the priorities of the service levels that it offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
from pulumi_kubernetes.resource import v1 as resource
from pulumi_kubernetes.scheduling import v1 as scheduling

from components.labels import labelled
from tessera.dra.classes import ServiceClass, device_classes
from tessera.dra.priorities import priority, priority_class

ChildOptions = Callable[[pulumi.Resource], pulumi.ResourceOptions]
"""Options for what a component puts on a cluster, given the component."""


@dataclass(frozen=True)
class CatalogueArgs:
    """classes: the service levels; child_options: how their objects reach the cluster; labels: of each object."""

    classes: Sequence[ServiceClass]
    child_options: ChildOptions
    labels: Mapping[str, str]


class Catalogue(pulumi.ComponentResource):
    """Makes each class's DeviceClasses (resource.k8s.io/v1), and the PriorityClasses that the classes have."""

    def __init__(self, name: str, args: CatalogueArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:dra:Catalogue", name, None, opts)
        child = args.child_options(self)
        self.classes = {
            manifest["metadata"]["name"]: _device_class(manifest, args, child)
            for level in args.classes
            for manifest in device_classes(level)
        }
        self.priorities = {
            key: _priority_class(key, args, child) for key in sorted({one.priority for one in args.classes})
        }
        self.register_outputs({"classes": sorted(self.classes), "priorities": sorted(self.priorities)})


def _device_class(
    manifest: Mapping[str, Any], args: CatalogueArgs, opts: pulumi.ResourceOptions
) -> resource.DeviceClass:
    metadata = labelled(manifest["metadata"], args.labels)
    return resource.DeviceClass(manifest["metadata"]["name"], metadata=metadata, spec=manifest["spec"], opts=opts)


def _priority_class(name: str, args: CatalogueArgs, opts: pulumi.ResourceOptions) -> scheduling.PriorityClass:
    manifest = priority_class(priority(name))
    return scheduling.PriorityClass(
        name,
        metadata=labelled(manifest["metadata"], args.labels),
        value=manifest["value"],
        global_default=manifest["globalDefault"],
        preemption_policy=manifest["preemptionPolicy"],
        description=manifest["description"],
        opts=opts,
    )
