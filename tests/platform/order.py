"""A whole platform for the lab: components, what each waits for, and values that their charts need."""

from __future__ import annotations

from typing import Any

from tests.platform import standin

ROWS: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    "cert-manager": ("cert-manager", (), {"crds": {"enabled": False}}),
    "metrics-server": ("kube-system", (), {}),
    "local-path-provisioner": ("local-path-storage", (), {}),
    "kube-prometheus-stack": (
        "monitoring",
        ("local-path-provisioner",),
        {"prometheus": {"prometheusSpec": {"retention": "15d"}}},
    ),
    "prometheus-adapter": ("monitoring", ("kube-prometheus-stack",), {}),
    "loki": ("monitoring", ("local-path-provisioner",), {}),
    "alloy": ("monitoring", ("loki",), {}),
    "node-feature-discovery": ("node-feature-discovery", (), {}),
    "network-operator": ("network-operator", ("node-feature-discovery",), {"nfd": {"enabled": False}}),
    "gpu-operator": (
        "gpu-operator",
        ("node-feature-discovery", "kube-prometheus-stack"),
        {"nfd": {"enabled": False}, "driver": {"enabled": False}},
    ),
    "dra-driver-nvidia-gpu": ("dra-driver", ("gpu-operator",), {"gpuResourcesEnabledOverride": True}),
    "jobset": ("jobset-system", ("cert-manager",), {}),
    "lws": ("lws-system", ("cert-manager",), {}),
    "kueue": ("kueue-system", ("cert-manager", "jobset"), {}),
    "kubeflow-trainer": ("kubeflow-system", ("jobset", "lws"), {"jobset": {"install": False}}),
    "kai-scheduler": ("kai-scheduler", ("gpu-operator",), {}),
}
OWN_CRDS = {"gpu-operator": ["clusterpolicies.nvidia.com", "gpuclusters.nvidia.com", "nvidiadrivers.nvidia.com"]}
"""The ComputeDomain CRDs are in two charts; here the DRA driver's brings them."""


def component(name: str, **more: Any) -> dict[str, Any]:
    """A component of the recipe, as JSON has it."""
    namespace, after, values = ROWS[name]
    return {
        "name": name,
        "chart": name,
        "version": standin.newest(name),
        "repository": None,
        "namespace": namespace,
        "values": values,
        "after": list(after),
        **({"crds": OWN_CRDS[name]} if name in OWN_CRDS else {}),
        **more,
    }


def components(*names: str, **more: Any) -> list[dict[str, Any]]:
    """Some of them, or all; edges to those that are left out go too."""
    chosen = names or tuple(ROWS)
    found = [component(name, **more) for name in chosen]
    return [{**one, "after": [before for before in one["after"] if before in chosen]} for one in found]
