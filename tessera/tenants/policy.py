"""The form of a ValidatingAdmissionPolicy, and the CEL that several have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tessera.tenants.tenant import TENANT_LABEL

API_VERSION: Final = "admissionregistration.k8s.io/v1"

IN_TENANTS: Final = {"matchExpressions": [{"key": TENANT_LABEL, "operator": "Exists"}]}
"""Selects the namespaces of tenants."""

TENANT: Final = f'namespaceObject.metadata.labels["{TENANT_LABEL}"]'
"""CEL: whose namespace it is."""


@dataclass(frozen=True)
class Target:
    """Objects that a policy looks at."""

    group: str
    resources: tuple[str, ...]
    operations: tuple[str, ...] = ("CREATE", "UPDATE")
    version: str = "v1"


@dataclass(frozen=True)
class Rule:
    """What must hold, and what is said where it does not: both CEL. reason: of the HTTP answer."""

    expression: str
    message: str
    reason: str = "Forbidden"


@dataclass(frozen=True)
class Policy:
    """A policy that binds everybody, administrators too. variables: CEL by name; conditions: when it looks at all.

    namespaces: selects where it holds; empty is everywhere.
    """

    name: str
    targets: tuple[Target, ...]
    rules: tuple[Rule, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    namespaces: Mapping[str, Any] = field(default_factory=dict)


def manifests(policy: Policy) -> list[dict[str, Any]]:
    """The policy and its binding. What it can't evaluate it refuses."""
    match: dict[str, Any] = {"matchPolicy": "Equivalent", "resourceRules": [_target(one) for one in policy.targets]}
    if policy.namespaces:
        match["namespaceSelector"] = policy.namespaces
    spec: dict[str, Any] = {
        "failurePolicy": "Fail",
        "matchConstraints": match,
        "validations": [_rule(one) for one in policy.rules],
    }
    if policy.conditions:
        spec["matchConditions"] = _named(policy.conditions)
    if policy.variables:
        spec["variables"] = _named(policy.variables)
    binding = {"policyName": policy.name, "validationActions": ["Deny"]}
    return [
        _object("ValidatingAdmissionPolicy", policy.name, spec),
        _object("ValidatingAdmissionPolicyBinding", policy.name, binding),
    ]


def granted(annotation: str) -> str:
    """CEL: the list that an annotation of the namespace holds; without the annotation nothing is granted."""
    found = "namespaceObject.metadata.annotations"
    return f'has({found}) && "{annotation}" in {found} ? {found}["{annotation}"].split(",") : []'


def told(names: str) -> str:
    """CEL: a list of names as people read it."""
    return f'({names}.join(", ") == "" ? "none" : {names}.join(", "))'


def keyed(metadata: str, kind: str, key: str) -> str:
    """CEL: whether metadata has a label or an annotation. kind: labels or annotations."""
    return f'has({metadata}.{kind}) && "{key}" in {metadata}.{kind}'


def own_label(metadata: str) -> Rule:
    """An object says that it is its own tenant's, or nobody's: showback reads that label."""
    said = f'{metadata}.labels["{TENANT_LABEL}"]'
    return Rule(
        f"!({keyed(metadata, 'labels', TENANT_LABEL)}) || {said} == {TENANT}",
        f'"label {TENANT_LABEL} says " + {said} + ", but this is a namespace of tenant " + {TENANT} + "; take it out"',
    )


def _named(expressions: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "expression": expression} for name, expression in expressions.items()]


def _target(target: Target) -> dict[str, Sequence[str]]:
    return {
        "apiGroups": [target.group],
        "apiVersions": [target.version],
        "operations": list(target.operations),
        "resources": list(target.resources),
    }


def _rule(rule: Rule) -> dict[str, str]:
    return {"expression": rule.expression, "messageExpression": rule.message, "reason": rule.reason}


def _object(kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": {"name": name}, "spec": spec}
