"""Workloads: what made a pod, so that its pods can be told together."""

from __future__ import annotations

import re

from tessera.dra.stock import Object

_NUMBER = re.compile(r"[-.]?\d+$")


def of_pod(pod: Object) -> str:
    """The Deployment, Job or StatefulSet of a pod; of pods without one, the name without its number: load-*."""
    owner = next((row for row in pod["metadata"].get("ownerReferences", []) if row.get("controller")), None)
    return of_controller(owner, pod["metadata"].get("labels", {})) if owner else numberless(pod["metadata"]["name"])


def of_controller(owner: Object, labels: Object) -> str:
    """The name that a user gave: a ReplicaSet's without the hash of its Deployment."""
    name: str = owner["name"]
    suffix = labels.get("pod-template-hash")
    return name.removesuffix(f"-{suffix}") if owner["kind"] == "ReplicaSet" and suffix else name


def of_claim(claim: Object) -> str:
    """What a claim without a pod belongs to."""
    owner = next((row["name"] for row in claim["metadata"].get("ownerReferences", []) if row["kind"] == "Pod"), None)
    return numberless(owner or claim["metadata"]["name"])


def numberless(name: str) -> str:
    """A name whose number is left open, or the name as it is."""
    return _NUMBER.sub("-*", name) if _NUMBER.search(name) else name
