"""Tenants in a stack: the rules that all keep, and each one's namespace with its limits and rights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
from pulumi_kubernetes.admissionregistration import v1 as admission
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.networking import v1 as networking
from pulumi_kubernetes.rbac import v1 as rbac

from components.catalogue import ChildOptions
from components.labels import labelled
from tessera.tenants.plan import shared_objects, tenant_objects
from tessera.tenants.tenant import Tenant as PlainTenant

_KINDS = {
    "Namespace": core.Namespace,
    "ResourceQuota": core.ResourceQuota,
    "LimitRange": core.LimitRange,
    "NetworkPolicy": networking.NetworkPolicy,
    "ClusterRole": rbac.ClusterRole,
    "ClusterRoleBinding": rbac.ClusterRoleBinding,
    "RoleBinding": rbac.RoleBinding,
    "ValidatingAdmissionPolicy": admission.ValidatingAdmissionPolicy,
    "ValidatingAdmissionPolicyBinding": admission.ValidatingAdmissionPolicyBinding,
}
_FIELDS = {"roleRef": "role_ref"}
_RIGHTS = ("ClusterRoleBinding", "RoleBinding")


@dataclass(frozen=True)
class TenantPoliciesArgs:
    """tenants: all of the stack; child_options: how objects reach the cluster; labels: of each object."""

    tenants: Sequence[PlainTenant]
    child_options: ChildOptions
    labels: Mapping[str, str]


class TenantPolicies(pulumi.ComponentResource):
    """Makes what holds for all tenants: ValidatingAdmissionPolicies, the ClusterRoles of members, and who may see."""

    def __init__(self, name: str, args: TenantPoliciesArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:tenants:TenantPolicies", name, None, opts)
        child = args.child_options(self)
        self.objects = _made(shared_objects(args.tenants), "", args.labels, child)
        self.register_outputs({"tenants": [tenant.name for tenant in args.tenants]})


@dataclass(frozen=True)
class TenantArgs:
    """tenant: who; offered: classes of the stack; kubernetes: the cluster's minor version.

    policies: what holds for all tenants, and must hold before this one's members get in.
    child_options: how objects reach the cluster; labels: of each object.
    """

    tenant: PlainTenant
    offered: Sequence[str]
    kubernetes: str
    policies: TenantPolicies
    child_options: ChildOptions
    labels: Mapping[str, str]


class Tenant(pulumi.ComponentResource):
    """Makes a tenant's namespace, its ResourceQuota, LimitRange and NetworkPolicies, then the rights of its groups.

    Rights come last and go first, so that nobody works there without limits. namespace: put workloads after it.
    """

    def __init__(self, name: str, args: TenantArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:tenants:Tenant", name, None, opts)
        child, labels = args.child_options(self), args.labels
        whole, *inside = tenant_objects(args.tenant, args.offered, args.kubernetes)
        after = pulumi.ResourceOptions(depends_on=args.policies.objects)
        first = _made([whole], name, labels, pulumi.ResourceOptions.merge(child, after))
        self.namespace: core.Namespace = first[0]
        below = pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=first))
        self.objects = [*first, *_made(inside, name, labels, below)]
        self.register_outputs({"namespace": args.tenant.name, "quota": args.tenant.most})


def _made(
    manifests: Sequence[Mapping[str, Any]], prefix: str, labels: Mapping[str, str], opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """A resource for each manifest; rights wait for all that stand before them."""
    made: list[pulumi.Resource] = []
    for manifest in manifests:
        kind, name = manifest["kind"], manifest["metadata"]["name"]
        after = pulumi.ResourceOptions(depends_on=list(made) if kind in _RIGHTS else [])
        fields = {_FIELDS.get(key, key): value for key, value in manifest.items() if key not in _HEAD}
        metadata = labelled(manifest["metadata"], labels)
        key = name if name == prefix or not prefix else f"{prefix}-{name}"
        made.append(_KINDS[kind](key, metadata=metadata, **fields, opts=pulumi.ResourceOptions.merge(opts, after)))
    return made


_HEAD = ("apiVersion", "kind", "metadata")
