"""Requests of somebody else: the lab's administrator impersonates a user with groups."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import yaml
from kubernetes.config import new_client_from_config_dict
from urllib3 import HTTPHeaderDict

PLURALS = {
    "Namespace": "/api/v1/namespaces",
    "DeviceClass": "/apis/resource.k8s.io/v1/deviceclasses",
    "PriorityClass": "/apis/scheduling.k8s.io/v1/priorityclasses",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "ValidatingAdmissionPolicy": "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    "ValidatingAdmissionPolicyBinding": "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
    "Pod": "/api/v1/namespaces/{}/pods",
    "ConfigMap": "/api/v1/namespaces/{}/configmaps",
    "Service": "/api/v1/namespaces/{}/services",
    "ResourceQuota": "/api/v1/namespaces/{}/resourcequotas",
    "LimitRange": "/api/v1/namespaces/{}/limitranges",
    "NetworkPolicy": "/apis/networking.k8s.io/v1/namespaces/{}/networkpolicies",
    "Role": "/apis/rbac.authorization.k8s.io/v1/namespaces/{}/roles",
    "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/namespaces/{}/rolebindings",
    "Deployment": "/apis/apps/v1/namespaces/{}/deployments",
    "ResourceClaim": "/apis/resource.k8s.io/v1/namespaces/{}/resourceclaims",
    "ResourceClaimTemplate": "/apis/resource.k8s.io/v1/namespaces/{}/resourceclaimtemplates",
}


def path(kind: str, namespace: str = "", name: str = "") -> str:
    return PLURALS[kind].format(namespace) + (f"/{name}" if name else "")


class Person:
    """user: nobody is the administrator himself. groups: what the identity provider says about the user."""

    def __init__(self, kubeconfig: str, user: str = "", groups: tuple[str, ...] = ()) -> None:
        self._api = new_client_from_config_dict(yaml.safe_load(kubeconfig))
        self._who = [("Impersonate-User", user), *(("Impersonate-Group", group) for group in groups)] if user else []

    def send(self, method: str, where: str, body: Any = None, **query: str) -> tuple[int, dict[str, Any]]:
        """Status and JSON of the answer."""
        patches = {"PATCH": "application/merge-patch+json", "APPLY": "application/apply-patch+yaml"}
        headers = HTTPHeaderDict(self._who)
        headers.add("Content-Type", patches.get(method, "application/json"))
        url = self._api.configuration.host + where + (f"?{urlencode(query)}" if query else "")
        verb = "PATCH" if method in patches else method
        text = None if body is None else json.dumps(body)
        answer = self._api.rest_client.pool_manager.request(verb, url, headers=headers, body=text, retries=False)
        return answer.status, json.loads(answer.data)

    def create(self, manifest: dict[str, Any], **query: str) -> tuple[int, str]:
        """Status, and what was said."""
        where = path(manifest["kind"], manifest["metadata"].get("namespace", ""))
        status, answer = self.send("POST", where, manifest, **query)
        return status, answer.get("message", "")

    def tries(self, manifest: dict[str, Any]) -> tuple[int, str]:
        """The same, and nothing is kept: everything but the keeping is done by the API server."""
        return self.create(manifest, dryRun="All")

    def patch(self, kind: str, namespace: str, name: str, change: Any, sub: str = "", **query: str) -> tuple[int, str]:
        status, answer = self.send("PATCH", path(kind, namespace, name) + sub, change, **query)
        return status, answer.get("message", "")

    def apply(self, manifest: dict[str, Any]) -> None:
        metadata = manifest["metadata"]
        where = path(manifest["kind"], metadata.get("namespace", ""), metadata["name"])
        status, answer = self.send("APPLY", where, manifest, fieldManager="test", force="true")
        assert status < 300, answer

    def get(self, kind: str, namespace: str = "", name: str = "") -> dict[str, Any]:
        status, answer = self.send("GET", path(kind, namespace, name))
        assert status == 200, answer
        return answer
