"""All objects of tenants, in the order in which they are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tessera.tenants.namespace import namespace
from tessera.tenants.network import network_policies
from tessera.tenants.policies import policies
from tessera.tenants.quota import limit_range, resource_quota
from tessera.tenants.rbac import cluster_roles, member_binding, reader_binding
from tessera.tenants.tenant import Tenant


def shared_objects(tenants: Sequence[Tenant]) -> list[dict[str, Any]]:
    """What holds for all tenants of a cluster; nothing where there are none. Policies come before rights."""
    return [*policies(tenants), *cluster_roles(), reader_binding(tenants)] if tenants else []


def tenant_objects(tenant: Tenant, offered: Iterable[str], kubernetes: str) -> list[dict[str, Any]]:
    """A tenant's namespace, then its limits, then the rights of its members.

    offered: classes of the stack; kubernetes: the cluster's minor version.
    """
    limits = [resource_quota(tenant, offered), limit_range(tenant), *network_policies(tenant)]
    return [namespace(tenant, kubernetes), *limits, member_binding(tenant)]
