"""A workload in a stack: a Deployment or a Job whose pods claim devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.batch import v1 as batch
from pulumi_kubernetes.resource import v1 as resource

from components.catalogue import ChildOptions
from components.labels import labelled
from tessera.dra.workloads import JOB, ClaimingWorkload, claim_object, controller

NO_WAIT = {"pulumi.com/waitFor": "jsonpath={.metadata.uid}"}
"""A job may run for days, and wait for devices longer still: an update waits until it is there. Unlike skipAwait this
still waits for the end of a Job that is deleted, before another one takes its name."""


@dataclass(frozen=True)
class WorkloadArgs:
    """workload: what is to run; needs: what must be there first: its namespace, classes and priorities.

    child_options: how the objects reach the cluster; labels: of each object.
    """

    workload: ClaimingWorkload
    needs: Sequence[pulumi.Resource]
    child_options: ChildOptions
    labels: Mapping[str, str]


class Workload(pulumi.ComponentResource):
    """Makes a ResourceClaimTemplate, or one ResourceClaim for all pods, and a Deployment or an indexed Job.

    An update waits until a Deployment's pods run. What a claim asks for can't be changed, so another class, count or
    requirement replaces the template, after which a Deployment's pods are replaced one by one; a shared claim is held
    by its pods, and a Job's pods are never changed, so there the Deployment or the Job is replaced too.
    """

    def __init__(self, name: str, args: WorkloadArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:dra:Workload", name, None, opts)
        child = args.child_options(self)
        workload = args.workload
        self.claim = _claim(name, args, child)
        more = pulumi.ResourceOptions(
            depends_on=[*args.needs, self.claim], replace_with=[self.claim] if workload.shared else None
        )
        make = _job if workload.kind == JOB else _deployment
        self.controller = make(name, controller(workload), args.labels, pulumi.ResourceOptions.merge(child, more))
        self.register_outputs({"claim": self.claim.metadata["name"], "replicas": workload.replicas})


def _claim(
    name: str, args: WorkloadArgs, child: pulumi.ResourceOptions
) -> resource.ResourceClaimTemplate | resource.ResourceClaim:
    manifest = claim_object(args.workload)
    kind = resource.ResourceClaim if args.workload.shared else resource.ResourceClaimTemplate
    more = pulumi.ResourceOptions(
        depends_on=list(args.needs), replace_on_changes=["spec"], delete_before_replace=True
    )  # the API server takes no other spec, and its name is given
    return kind(
        f"{name}-{manifest['metadata']['name']}",
        metadata=labelled(manifest["metadata"], args.labels),
        spec=manifest["spec"],
        opts=pulumi.ResourceOptions.merge(child, more),
    )


def _deployment(
    name: str, manifest: Mapping[str, Any], labels: Mapping[str, str], opts: pulumi.ResourceOptions
) -> apps.Deployment:
    more = pulumi.ResourceOptions(delete_before_replace=True)
    metadata = labelled(manifest["metadata"], labels)
    return apps.Deployment(
        name, metadata=metadata, spec=manifest["spec"], opts=pulumi.ResourceOptions.merge(opts, more)
    )


def _job(name: str, manifest: Mapping[str, Any], labels: Mapping[str, str], opts: pulumi.ResourceOptions) -> batch.Job:
    more = pulumi.ResourceOptions(delete_before_replace=True, replace_on_changes=["spec"])
    metadata = {**labelled(manifest["metadata"], labels), "annotations": NO_WAIT}
    return batch.Job(name, metadata=metadata, spec=manifest["spec"], opts=pulumi.ResourceOptions.merge(opts, more))
