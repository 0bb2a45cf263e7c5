"""Workloads: objects of a service whose pods claim devices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tessera.dra.claims import claim_template

NAME_LABEL = "app.kubernetes.io/name"


@dataclass(frozen=True)
class ClaimingService:
    """A Deployment whose pods each claim one device of a class through a template."""

    name: str
    namespace: str
    replicas: int
    container: str
    image: str
    claim: str
    template: str
    request: str
    device_class: str
    labels: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)


def claiming_deployment(service: ClaimingService) -> tuple[dict[str, Any], dict[str, Any]]:
    """The ResourceClaimTemplate and the Deployment of a service."""
    labels = {NAME_LABEL: service.name, **service.labels}
    template = claim_template(service.template, service.namespace, service.request, service.device_class)
    pod = {
        "resourceClaims": [{"name": service.claim, "resourceClaimTemplateName": service.template}],
        "containers": [_container(service)],
    }
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": service.name, "namespace": service.namespace, "labels": labels},
        "spec": {
            "replicas": service.replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }
    return template, deployment


def _container(service: ClaimingService) -> dict[str, Any]:
    return {
        "name": service.container,
        "image": service.image,
        "env": [{"name": name, "value": value} for name, value in service.env.items()],
        "resources": {"claims": [{"name": service.claim, "request": service.request}]},
    }
