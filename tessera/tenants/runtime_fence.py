"""The fence around NVIDIA's container runtime: under it an image can reach GPUs that nobody allocated to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tessera.tenants.policy import Policy, Rule, Target, manifests

RUNTIME: Final = "nvidia"
"""What names of its RuntimeClasses and handlers start with."""

MANAGEMENT: Final = "nvidia.cdi.k8s.io/"
"""Start of annotations by which the operator's NRI plugin gives out all devices."""


def runtime_fence(namespaces: Iterable[str]) -> list[dict[str, Any]]:
    """Policies and bindings. namespaces: of the platform, the only ones whose pods may have the runtime.

    By name, which nobody can give to another namespace; a label could be set by whoever may label one.
    """
    inside = sorted({*namespaces})
    outside = [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": inside}]
    name = f'!has(object.spec.runtimeClassName) || !object.spec.runtimeClassName.startsWith("{RUNTIME}")'
    notes = "!has(object.metadata.annotations) || " + (
        f'!object.metadata.annotations.exists(key, key.startsWith("{MANAGEMENT}"))'
    )
    pods = Policy(
        "pods.runtime.tessera.dev",
        (Target("", ("pods",)),),
        (
            Rule(
                name,
                '"runtimeClassName " + object.spec.runtimeClassName + " is for the platform\'s namespaces; leave it '
                'out, and claim devices"',
            ),
            Rule(notes, f'"annotations {MANAGEMENT}... are for the platform\'s namespaces; take them out"'),
        ),
        namespaces={"matchExpressions": outside} if inside else {},
    )
    return [*manifests(pods), *manifests(_aliases())]


def _aliases() -> Policy:
    """No other name for the runtime: pods would pass the fence by it."""
    return Policy(
        "classes.runtime.tessera.dev",
        (Target("node.k8s.io", ("runtimeclasses",)),),
        (
            Rule(
                f'!object.handler.startsWith("{RUNTIME}") || object.metadata.name.startsWith("{RUNTIME}")',
                f'"handler " + object.handler + " is fenced by the name of its class; call the class {RUNTIME}..."',
            ),
        ),
    )
