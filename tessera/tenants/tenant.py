"""A tenant, as the planners of this room know it: plain values, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tessera.dra.classes import service_class

TENANT_LABEL: Final = "tessera.dev/tenant"
"""Label of a tenant's namespace and of what is in it; its value is the tenant's name."""

CLASSES: Final = "tessera.dev/classes"
PRIORITIES: Final = "tessera.dev/priorities"
RESOURCES: Final = "tessera.dev/resources"
"""Annotations of a tenant's namespace that hold what is granted, with commas between; the policies read them."""

PRIVATE: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
"""Addresses of private networks (RFC 1918): where API servers are, as seen from pods."""

API_PORTS: Final = (443, 6443)
"""Ports of API servers: 443 of the Service and of managed ones, 6443 of kubeadm."""


@dataclass(frozen=True)
class Defaults:
    """What a container gets that does not say it: quantities of cpu and memory."""

    cpu_request: str = "500m"
    memory_request: str = "1Gi"
    cpu_limit: str = "4"
    memory_limit: str = "16Gi"


@dataclass(frozen=True)
class Network:
    """What pods reach besides DNS and each other: the API server at these CIDRs and ports, and whole CIDRs."""

    api_server: tuple[str, ...] = PRIVATE
    api_ports: tuple[int, ...] = API_PORTS
    egress: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tenant:
    """Who shares the cluster. name: also of the namespace; quota, borrowing: devices by class.

    borrowing: what a queue may lend beyond the quota. priorities: besides those of the classes.
    resources: extended resources that pods may name, with their quota. cpu, memory: quantities for all pods.
    """

    name: str
    groups: tuple[str, ...]
    quota: Mapping[str, int] = field(default_factory=dict)
    borrowing: Mapping[str, int] = field(default_factory=dict)
    priorities: tuple[str, ...] = ()
    resources: Mapping[str, int] = field(default_factory=dict)
    cpu: str | None = None
    memory: str | None = None
    defaults: Defaults = Defaults()
    network: Network = Network()

    @property
    def most(self) -> dict[str, int]:
        """Devices by class that it may hold at the very most: its quota, and what a queue lends it."""
        return {name: count + self.borrowing.get(name, 0) for name, count in sorted(self.quota.items())}

    @property
    def classes(self) -> tuple[str, ...]:
        """Service classes granted: those of which it may hold a device."""
        return tuple(name for name, count in self.most.items() if count)

    @property
    def device_classes(self) -> tuple[str, ...]:
        """DeviceClasses granted: of its service classes, and of what comes with them."""
        return tuple(sorted(one for name in self.classes for one in service_class(name).device_class_names))

    @property
    def granted_priorities(self) -> tuple[str, ...]:
        """PriorityClasses granted: of its service classes, and those named besides."""
        return tuple(sorted({*self.priorities, *(service_class(name).priority for name in self.classes)}))
