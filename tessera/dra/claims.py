"""Claims: how a pod asks for a device of a class."""

from __future__ import annotations

from typing import Any

from tessera.dra.classes import API_VERSION, CLASS_LABEL


def claim_template(name: str, namespace: str, request: str, class_name: str) -> dict[str, Any]:
    """A ResourceClaimTemplate (resource.k8s.io/v1): each pod gets one device of class_name for itself."""
    exactly = {"deviceClassName": class_name, "allocationMode": "ExactCount", "count": 1}
    return {
        "apiVersion": API_VERSION,
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": name, "namespace": namespace, "labels": {CLASS_LABEL: class_name}},
        "spec": {"spec": {"devices": {"requests": [{"name": request, "exactly": exactly}]}}},
    }
