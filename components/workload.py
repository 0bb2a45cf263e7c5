"""A workload in a stack: a Deployment whose pods each claim a device for themselves."""

from __future__ import annotations

from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.resource import v1 as resource

from components.catalogue import ChildOptions
from tessera.dra import workloads
from tessera.spec.stack import Workload


@dataclass(frozen=True)
class ClaimingDeploymentArgs:
    """workload: from the stack file; namespace: where it runs; device_class: what its pods claim."""

    workload: Workload
    namespace: core.Namespace
    device_class: resource.DeviceClass
    child_options: ChildOptions


class ClaimingDeployment(pulumi.ComponentResource):
    """Makes a ResourceClaimTemplate and a Deployment; the update waits until its pods run."""

    def __init__(self, name: str, args: ClaimingDeploymentArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:dra:ClaimingDeployment", name, None, opts)
        child = args.child_options(self)
        template, deployment = workloads.claiming_deployment(args.workload.service())
        needs = pulumi.ResourceOptions(depends_on=[args.namespace, args.device_class])
        self.template = resource.ResourceClaimTemplate(
            f"{name}-{args.workload.template}",
            metadata=template["metadata"],
            spec=template["spec"],
            opts=pulumi.ResourceOptions.merge(child, needs),
        )
        self.deployment = apps.Deployment(
            name,
            metadata=deployment["metadata"],
            spec=deployment["spec"],
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[self.template])),
        )
        self.register_outputs({"template": args.workload.template, "replicas": args.workload.replicas})
