"""The rules of tenants' namespaces that neither RBAC nor quota can say.

They read what is granted from the annotations of the namespace itself, which no tenant can write: one set of policies
serves all tenants, and a namespace without a grant gets nothing. A DeviceClass that is added later is in no grant.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from tessera.dra.api import CLASS_LABEL
from tessera.dra.claims import MOST_DEVICES
from tessera.tenants.policy import IN_TENANTS, TENANT, Policy, Rule, Target, granted, keyed, manifests, own_label, told
from tessera.tenants.tenant import CLASSES, PRIORITIES, RESOURCES, TENANT_LABEL, Tenant

ADMIN_ACCESS: Final = ("resource.kubernetes.io/admin-access", "resource.k8s.io/admin-access")
"""Labels of a namespace in which claims may see devices that others hold: today's, and that of 1.33 and before."""

FORGED: Final = "resource.kubernetes.io/extended-resource-claim"
"""Annotation of claims that the scheduler makes for extended resources; quotas pass those over."""

_DEVICES = "resource.k8s.io"
_WORKLOADS = (
    Target("", ("pods",), ("CREATE",)),
    Target("", ("replicationcontrollers",)),
    Target("apps", ("deployments", "statefulsets", "daemonsets", "replicasets")),
    Target("batch", ("jobs", "cronjobs")),
    Target(_DEVICES, ("resourceclaims", "resourceclaimtemplates")),
)


def policies(tenants: Iterable[Tenant]) -> list[dict[str, Any]]:
    """The ValidatingAdmissionPolicies with their bindings."""
    claims = _claims("claims", "resourceclaims", "object.spec", ("object.metadata",))
    templates = _claims(
        "claim-templates", "resourceclaimtemplates", "object.spec.spec", ("object.metadata", "object.spec.metadata")
    )
    every = (claims, templates, _pods(), _namespaces(), _at_home(tenants))
    return [manifest for policy in every for manifest in manifests(policy)]


def _claims(name: str, resource: str, spec: str, metadata: tuple[str, ...]) -> Policy:
    """Specs of claims never change, so what they name is looked at once; what no longer is granted can still end."""
    variables = {
        "granted": granted(CLASSES),
        "requests": f"has({spec}.devices) && has({spec}.devices.requests) ? {spec}.devices.requests : []",
        "fresh": 'request.operation == "CREATE" ? variables.requests : []',
        "exact": "variables.fresh.filter(r, has(r.exactly)).map(r, r.exactly)",
        "either": "variables.fresh.filter(r, has(r.firstAvailable)).map(r, r.firstAvailable)",
        "foreign": "variables.exact.filter(e, !(e.deviceClassName in variables.granted)).map(e, e.deviceClassName)"
        " + variables.either.map(l, l.filter(s, !(s.deviceClassName in variables.granted))"
        '.map(s, s.deviceClassName).join(", ")).filter(t, t != "")',
    }
    rules = (_only_granted(), _few_devices(), _no_admin_access())
    more = [rule for where in metadata for rule in (_not_forged(where), own_label(where), _own_class(where))]
    return Policy(
        f"{name}.tenant.tessera.dev", (Target(_DEVICES, (resource,)),), (*rules, *more), variables,
        namespaces=IN_TENANTS,
    )  # fmt: skip


def _only_granted() -> Rule:
    return Rule(
        "variables.foreign.size() == 0",
        f'"device class " + variables.foreign.join(", ") + " is not granted to tenant " + {TENANT} + "; granted: " + '
        f'{told("variables.granted")} + "; name one of these, or have the class put into the tenant\'s quota"',
    )


def _few_devices() -> Rule:
    few = f"!has(a.count) || a.count <= {MOST_DEVICES}"
    return Rule(
        f"variables.exact.all(a, {few}) && variables.either.all(l, l.all(a, {few}))",
        f'"a request asks for more than {MOST_DEVICES} devices, which no claim can hold; make it several claims"',
    )


def _no_admin_access() -> Rule:
    return Rule(
        "variables.exact.all(e, !has(e.adminAccess) || !e.adminAccess)",
        f'"adminAccess shows devices that others hold, and is not for tenant " + {TENANT} + "; take it out"',
    )


def _not_forged(metadata: str) -> Rule:
    return Rule(
        f"!({keyed(metadata, 'annotations', FORGED)})",
        f'"annotation {FORGED} hides a claim from the quota, and is the scheduler\'s alone; take it out"',
    )


def _own_class(metadata: str) -> Rule:
    said = f'{metadata}.labels["{CLASS_LABEL}"]'
    named = (
        f"(has(r.exactly) && r.exactly.deviceClassName == {said})"
        f" || (has(r.firstAvailable) && r.firstAvailable.exists(s, s.deviceClassName == {said}))"
    )
    return Rule(
        f"!({keyed(metadata, 'labels', CLASS_LABEL)}) || variables.requests.exists(r, {named})",
        f'"label {CLASS_LABEL} says " + {said} + ", a class that the claim does not ask for; name one that it does"',
    )


def _pods() -> Policy:
    """Only new pods: what a pod names never changes, and neither ephemeral containers nor a resize can add devices."""
    extended = 'filter(k, k.contains("/") && !(k in variables.resources))'
    variables = {
        "resources": granted(RESOURCES),
        "priorities": granted(PRIORITIES),
        "priority": 'has(object.spec.priorityClassName) ? object.spec.priorityClassName : ""',
        "containers": "object.spec.containers + (has(object.spec.initContainers) ? object.spec.initContainers : [])",
        "asked": "variables.containers.filter(c, has(c.resources)).map(c, c.resources)"
        " + (has(object.spec.resources) ? [object.spec.resources] : [])",
        "foreign": f"(variables.asked.filter(a, has(a.limits)).map(a, a.limits.{extended})"
        f" + variables.asked.filter(a, has(a.requests)).map(a, a.requests.{extended}))"
        '.filter(l, l.size() > 0).map(l, l.join(", "))',
    }
    rules = (_no_extended_resource(), _granted_priority(), _scheduled())
    target = Target("", ("pods",), ("CREATE",))
    return Policy("pods.tenant.tessera.dev", (target,), rules, variables, namespaces=IN_TENANTS)


def _no_extended_resource() -> Rule:
    """By allow-list: any DeviceClass may give itself the name of any extended resource."""
    return Rule(
        "variables.foreign.size() == 0",
        f'"extended resource " + variables.foreign[0] + " is not granted to tenant " + {TENANT} + "; granted: " + '
        f'{told("variables.resources")} + "; claim devices of a class instead"',
    )


def _granted_priority() -> Rule:
    return Rule(
        'variables.priority == "" || variables.priority in variables.priorities',
        f'"priority class " + variables.priority + " is not granted to tenant " + {TENANT} + "; granted: " + '
        f'{told("variables.priorities")} + "; name one of these, or none"',
    )


def _scheduled() -> Rule:
    return Rule(
        '!has(object.spec.nodeName) || object.spec.nodeName == ""',
        '"spec.nodeName passes the scheduler by; use a nodeSelector, and let the scheduler choose"',
    )


def _namespaces() -> Policy:
    """A tenant's namespace stays one until it is deleted, and never gets admin access: two steps would do, else."""
    was = f"oldObject != null && {keyed('oldObject.metadata', 'labels', TENANT_LABEL)}"
    now = keyed("object.metadata", "labels", TENANT_LABEL)
    old, new = (f'{one}.metadata.labels["{TENANT_LABEL}"]' for one in ("oldObject", "object"))
    free = " && ".join(f"!({keyed('object.metadata', 'labels', label)})" for label in ADMIN_ACCESS)
    rules = (
        Rule(
            f"!({was}) || ({now} && {new} == {old})",
            f'"label {TENANT_LABEL} stays " + {old} + " as long as the namespace exists; delete the namespace instead"',
        ),
        Rule(free, f'"label {ADMIN_ACCESS[0]} is not for namespaces of tenants; use one that is no tenant\'s"'),
    )
    conditions = {"is-a-tenants": f"({now}) || ({was})"}
    return Policy("namespaces.tenant.tessera.dev", (Target("", ("namespaces",)),), rules, conditions=conditions)


def _at_home(tenants: Iterable[Tenant]) -> Policy:
    """Members work in their tenants' namespaces, whatever older rights they have elsewhere.

    Whoever may create namespaces is an administrator, and is not meant.
    """
    homes: dict[str, list[str]] = {}
    for tenant in sorted(tenants, key=lambda one: one.name):
        for group in (*tenant.groups, f"system:serviceaccounts:{tenant.name}"):
            homes.setdefault(group, []).append(tenant.name)
    groups, text = "request.userInfo.groups", json.dumps(dict(sorted(homes.items())), ensure_ascii=False)
    away = Rule(
        "variables.mine.exists(names, request.namespace in names)",
        '"namespace " + request.namespace + " is not of your tenant; work in: "'
        ' + variables.mine.map(names, names.join(", ")).join(", ")',
    )
    variables = {"homes": text, "mine": f"{groups}.filter(g, g in variables.homes).map(g, variables.homes[g])"}
    conditions = {
        "is-a-member": f"has({groups}) && {groups}.exists(g, g in {text})",
        "is-no-administrator": '!authorizer.group("").resource("namespaces").check("create").allowed()',
    }
    return Policy("home.tenant.tessera.dev", _WORKLOADS, (away,), variables, conditions)
