"""How much a tenant may hold: its one ResourceQuota, and the LimitRange that quotas of cpu and memory need.

A ResourceQuota for claims must have no scope: scoped ones silently never count them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tessera.dra.classes import quota_key, quotas
from tessera.tenants.namespace import inside
from tessera.tenants.tenant import Tenant

NAME: Final = "tessera"
"""Of the ResourceQuota and of the LimitRange."""

CLAIMS_KEY: Final = "count/resourceclaims.resource.k8s.io"

DRIVER_CLASSES: Final = ("gpu.nvidia.com", "mig.nvidia.com", "vfio.gpu.nvidia.com")
"""DeviceClasses that NVIDIA's driver brings, which would hand out the same devices past every service class."""

_NOTHING = {
    **{quota_key(name): "0" for name in DRIVER_CLASSES},
    "requests.nvidia.com/gpu": "0",
    "services.loadbalancers": "0",
    "services.nodeports": "0",
}
"""Ways around: to devices that no class counts, and to the tenant past its network rules."""


def resource_quota(tenant: Tenant, offered: Iterable[str]) -> dict[str, Any]:
    """The ResourceQuota: the most of each class, nothing of the others. offered: classes of the stack.

    Each claim holds a device at least, so there need be no more claims than devices.
    """
    hard = {
        **quotas(dict.fromkeys(sorted(offered), 0)),
        **_NOTHING,
        **quotas(tenant.most),
        CLAIMS_KEY: str(sum(tenant.most.values())),
        **{f"requests.{name}": str(count) for name, count in sorted(tenant.resources.items())},
    }
    whole = {"requests.cpu": tenant.cpu, "requests.memory": tenant.memory}
    hard.update({key: amount for key, amount in whole.items() if amount is not None})
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": inside(tenant, NAME), "spec": {"hard": hard}}


def limit_range(tenant: Tenant) -> dict[str, Any]:
    """The LimitRange: what containers get that do not say it. Without it, a quota of cpu would refuse them."""
    own = tenant.defaults
    container = {
        "type": "Container",
        "defaultRequest": {"cpu": own.cpu_request, "memory": own.memory_request},
        "default": {"cpu": own.cpu_limit, "memory": own.memory_limit},
    }
    spec = {"limits": [container]}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": inside(tenant, NAME), "spec": spec}
