"""The fence around NVIDIA's container runtime in a stack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.admissionregistration import v1 as admission

from components.catalogue import ChildOptions
from components.labels import labelled
from tessera.tenants.runtime_fence import runtime_fence

_KINDS = {
    "ValidatingAdmissionPolicy": admission.ValidatingAdmissionPolicy,
    "ValidatingAdmissionPolicyBinding": admission.ValidatingAdmissionPolicyBinding,
}


@dataclass(frozen=True)
class RuntimeFenceArgs:
    """namespaces: whose pods may have the runtime; child_options: how objects reach the cluster; labels: of each."""

    namespaces: Sequence[str]
    child_options: ChildOptions
    labels: Mapping[str, str]


class RuntimeFence(pulumi.ComponentResource):
    """Makes two ValidatingAdmissionPolicies with their bindings: for pods, and for RuntimeClasses by another name."""

    def __init__(self, name: str, args: RuntimeFenceArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:tenants:RuntimeFence", name, None, opts)
        child = args.child_options(self)
        self.objects = [
            _KINDS[one["kind"]](
                one["metadata"]["name"], metadata=labelled(one["metadata"], args.labels), spec=one["spec"], opts=child
            )
            for one in runtime_fence(args.namespaces)
        ]
        self.register_outputs({"namespaces": list(args.namespaces)})
