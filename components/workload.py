"""A workload in a stack: a Deployment whose pods each claim a device for themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.resource import v1 as resource

from components.catalogue import ChildOptions
from components.labels import labelled
from tessera.dra.workloads import ClaimingService, claiming_deployment


@dataclass(frozen=True)
class ClaimingDeploymentArgs:
    """service: what is to run; namespace: where it runs; device_class: what its pods claim.

    child_options: how the objects reach the cluster; labels: of each object.
    """

    service: ClaimingService
    namespace: core.Namespace
    device_class: resource.DeviceClass
    child_options: ChildOptions
    labels: Mapping[str, str]


class ClaimingDeployment(pulumi.ComponentResource):
    """Makes a ResourceClaimTemplate and a Deployment; the update waits until its pods run."""

    def __init__(self, name: str, args: ClaimingDeploymentArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:dra:ClaimingDeployment", name, None, opts)
        child = args.child_options(self)
        template, deployment = claiming_deployment(args.service)
        needs = pulumi.ResourceOptions(depends_on=[args.namespace, args.device_class])
        self.template = resource.ResourceClaimTemplate(
            f"{name}-{args.service.template}",
            metadata=labelled(template["metadata"], args.labels),
            spec=template["spec"],
            opts=pulumi.ResourceOptions.merge(child, needs),
        )
        self.deployment = apps.Deployment(
            name,
            metadata=labelled(deployment["metadata"], args.labels),
            spec=deployment["spec"],
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[self.template])),
        )
        self.register_outputs({"template": args.service.template, "replicas": args.service.replicas})
