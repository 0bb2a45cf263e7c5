"""A tenant's namespace: it carries whose it is, what is granted, and the security that its pods must keep."""

from __future__ import annotations

from typing import Any, Final

from tessera.tenants.tenant import CLASSES, PRIORITIES, RESOURCES, TENANT_LABEL, Tenant

POD_SECURITY: Final = "restricted"
"""Pods that claim devices need no privilege: the devices come through CDI."""

_MODES = ("enforce", "warn", "audit")


def namespace(tenant: Tenant, kubernetes: str) -> dict[str, Any]:
    """The Namespace. kubernetes: the cluster's minor version, whose Pod Security rules hold until it changes."""
    security = {f"pod-security.kubernetes.io/{mode}": POD_SECURITY for mode in _MODES}
    versions = {f"pod-security.kubernetes.io/{mode}-version": f"v{kubernetes}" for mode in _MODES}
    granted = {
        CLASSES: ",".join(tenant.device_classes),
        PRIORITIES: ",".join(tenant.granted_priorities),
        RESOURCES: ",".join(sorted(tenant.resources)),
    }
    labels = {TENANT_LABEL: tenant.name, **security, **versions}
    metadata = {"name": tenant.name, "labels": labels, "annotations": granted}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}


def inside(tenant: Tenant, name: str) -> dict[str, Any]:
    """Metadata of an object in a tenant's namespace."""
    return {"name": name, "namespace": tenant.name, "labels": {TENANT_LABEL: tenant.name}}
