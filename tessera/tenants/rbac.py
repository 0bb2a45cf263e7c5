"""Who may do what: the members of a tenant's groups, in its namespace, by rules that are spelt out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tessera.tenants.namespace import inside
from tessera.tenants.tenant import Tenant

MEMBER: Final = "tessera:tenant-member"
"""ClusterRole of what members may do; it is bound in their namespaces alone."""

READER: Final = "tessera:tenant-reader"
"""ClusterRole of what members may see of the whole cluster."""

_API = "rbac.authorization.k8s.io"
_SEE = ("get", "list", "watch")
_WORK = (*_SEE, "create", "update", "patch", "delete", "deletecollection")

_MEMBER_RULES = (
    ("", ("pods", "services", "configmaps", "secrets", "serviceaccounts", "persistentvolumeclaims"), _WORK),
    ("", ("pods/exec", "pods/attach", "pods/portforward"), ("get", "create")),
    ("", ("pods/ephemeralcontainers",), ("get", "patch", "update")),
    ("", ("pods/log", "pods/status", "namespaces"), ("get",)),
    ("", ("pods/eviction",), ("create",)),
    ("", ("events", "endpoints", "resourcequotas", "limitranges"), _SEE),
    ("events.k8s.io", ("events",), _SEE),
    ("discovery.k8s.io", ("endpointslices",), _SEE),
    ("apps", ("deployments", "statefulsets", "replicasets"), _WORK),
    ("apps", ("deployments/scale", "statefulsets/scale", "replicasets/scale"), ("get", "update", "patch")),
    ("batch", ("jobs", "cronjobs"), _WORK),
    ("autoscaling", ("horizontalpodautoscalers",), _WORK),
    ("policy", ("poddisruptionbudgets",), _WORK),
    ("networking.k8s.io", ("networkpolicies",), _SEE),
    (_API, ("roles", "rolebindings"), _SEE),
    ("resource.k8s.io", ("resourceclaims", "resourceclaimtemplates"), _WORK),
)
_READER_RULES = (
    # Slices tell which devices there are, never who holds them: without them nobody could say why a claim waits.
    ("resource.k8s.io", ("deviceclasses", "resourceslices"), _SEE),
    ("scheduling.k8s.io", ("priorityclasses",), _SEE),
)
type _Rule = tuple[str, tuple[str, ...], tuple[str, ...]]


def cluster_roles() -> list[dict[str, Any]]:
    """The ClusterRoles of members."""
    return [_cluster_role(MEMBER, _MEMBER_RULES), _cluster_role(READER, _READER_RULES)]


def reader_binding(tenants: Iterable[Tenant]) -> dict[str, Any]:
    """The ClusterRoleBinding through which members see the classes, the devices and the priorities."""
    groups = sorted({group for tenant in tenants for group in tenant.groups})
    return {
        "apiVersion": f"{_API}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": READER},
        "roleRef": _role(READER),
        "subjects": _subjects(groups),
    }


def member_binding(tenant: Tenant) -> dict[str, Any]:
    """The RoleBinding that lets a tenant's groups work in its namespace."""
    return {
        "apiVersion": f"{_API}/v1",
        "kind": "RoleBinding",
        "metadata": inside(tenant, "tessera-members"),
        "roleRef": _role(MEMBER),
        "subjects": _subjects(sorted(tenant.groups)),
    }


def _cluster_role(name: str, rules: Iterable[_Rule]) -> dict[str, Any]:
    rows = [
        {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)} for group, resources, verbs in rules
    ]
    return {"apiVersion": f"{_API}/v1", "kind": "ClusterRole", "metadata": {"name": name}, "rules": rows}


def _role(name: str) -> dict[str, str]:
    return {"apiGroup": _API, "kind": "ClusterRole", "name": name}


def _subjects(groups: Iterable[str]) -> list[dict[str, str]]:
    return [{"apiGroup": _API, "kind": "Group", "name": group} for group in groups]
