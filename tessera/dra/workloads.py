"""Workloads: the objects of a service or a job whose pods claim devices.

Pods keep to the "restricted" level of Pod Security, which namespaces of tenants enforce.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tessera.dra.claims import Claim, claim_spec, claim_template, resource_claim

NAME_LABEL = "app.kubernetes.io/name"
CLAIM_ANNOTATION = "tessera.dev/claim"
"""On pods: a digest of what they claim, so that another claim means other pods."""

POOL_LABEL = "tessera.dev/pool"
"""On nodes: the pool that they are of."""

CLIQUE_LABEL = "nvidia.com/gpu.clique"
"""On nodes: the NVLink domain that they share, as NVIDIA's feature discovery says it."""

DEPLOYMENT, JOB = "deployment", "job"
KINDS: Final = (DEPLOYMENT, JOB)


@dataclass(frozen=True)
class ClaimingWorkload:
    """Pods that claim devices.

    kind: of KINDS. claim_name: of the claim within the pod. template: name of the ResourceClaimTemplate from which
    each pod gets a claim of its own; resource_claim: name of one claim that all pods share; one of both is empty.
    cpu, memory: quantities that a pod asks for. pool: whose nodes take the pods; empty is any. tolerations: of its
    taints. together: whether all nodes must be of one NVLink domain. user: number that the container runs as;
    None is the image's own.
    """

    name: str
    namespace: str
    replicas: int
    container: str
    image: str
    claim_name: str
    claim: Claim
    cpu: str
    memory: str
    template: str = ""
    resource_claim: str = ""
    kind: str = DEPLOYMENT
    priority: str = ""
    pool: str = ""
    tolerations: Sequence[Mapping[str, str]] = ()
    together: bool = False
    user: int | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def shared(self) -> bool:
        """Whether all pods share one claim."""
        return bool(self.resource_claim)


def claim_object(workload: ClaimingWorkload) -> dict[str, Any]:
    """The ResourceClaimTemplate of a workload, or its ResourceClaim where pods share one."""
    if workload.shared:
        return resource_claim(workload.resource_claim, workload.namespace, workload.claim)
    return claim_template(workload.template, workload.namespace, workload.claim)


def controller(workload: ClaimingWorkload) -> dict[str, Any]:
    """The Deployment or the indexed Job of a workload."""
    return _job(workload) if workload.kind == JOB else _deployment(workload)


def _deployment(workload: ClaimingWorkload) -> dict[str, Any]:
    spec = {"replicas": workload.replicas, "selector": {"matchLabels": _labels(workload)}}
    if not workload.shared:
        # Devices are counted to the last one: a pod has to give its own back before another one can have it.
        spec["strategy"] = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": _metadata(workload),
        "spec": {**spec, "template": _pod_template(workload)},
    }


def _job(workload: ClaimingWorkload) -> dict[str, Any]:
    count = workload.replicas
    spec = {"completionMode": "Indexed", "completions": count, "parallelism": count}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": _metadata(workload),
        "spec": {**spec, "template": _pod_template(workload)},
    }


def _labels(workload: ClaimingWorkload) -> dict[str, str]:
    return {NAME_LABEL: workload.name, **workload.labels}


def _metadata(workload: ClaimingWorkload) -> dict[str, Any]:
    return {"name": workload.name, "namespace": workload.namespace, "labels": _labels(workload)}


def _pod_template(workload: ClaimingWorkload) -> dict[str, Any]:
    digest = hashlib.sha256(json.dumps(claim_spec(workload.claim), sort_keys=True).encode()).hexdigest()[:16]
    metadata = {"labels": _labels(workload), "annotations": {CLAIM_ANNOTATION: digest}}
    return {"metadata": metadata, "spec": _pod(workload)}


def _pod(workload: ClaimingWorkload) -> dict[str, Any]:
    made = {"resourceClaimName": workload.resource_claim}
    if not workload.shared:
        made = {"resourceClaimTemplateName": workload.template}
    optional = {
        "restartPolicy": "Never" if workload.kind == JOB else "",
        "priorityClassName": workload.priority,
        "nodeSelector": {POOL_LABEL: workload.pool} if workload.pool else {},
        "tolerations": [dict(one) for one in workload.tolerations],
        "affinity": _affinity(workload) if workload.together else {},
    }
    return {
        **{key: value for key, value in optional.items() if value},
        "securityContext": _pod_security(workload),
        "resourceClaims": [{"name": workload.claim_name, **made}],
        "containers": [_container(workload)],
    }


def _affinity(workload: ClaimingWorkload) -> dict[str, Any]:
    own = {NAME_LABEL: _labels(workload)[NAME_LABEL]}
    term = {"labelSelector": {"matchLabels": own}, "topologyKey": CLIQUE_LABEL}
    return {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def _pod_security(workload: ClaimingWorkload) -> dict[str, Any]:
    user = {} if workload.user is None else {"runAsUser": workload.user}
    return {"runAsNonRoot": True, **user, "seccompProfile": {"type": "RuntimeDefault"}}


def _used(workload: ClaimingWorkload) -> dict[str, str]:
    """What of the claim the container uses: all of it. Server-side apply takes each claim but once, so with several
    requests none is named, which means all."""
    requests = workload.claim.requests
    return {"name": workload.claim_name, **({"request": requests[0].name} if len(requests) == 1 else {})}


def _container(workload: ClaimingWorkload) -> dict[str, Any]:
    share = {"cpu": workload.cpu, "memory": workload.memory}
    return {
        "name": workload.container,
        "image": workload.image,
        "env": [{"name": name, "value": value} for name, value in workload.env.items()],
        "resources": {
            "requests": share,
            "limits": share,  # a limit below the request, such as a namespace's default, would refuse the pod
            "claims": [_used(workload)],
        },
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
    }
