"""The lab's API server, as seen by the lab: nodes, slices, claims, pods and bootstrap manifests."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import yaml

from lab.home import LabHome

if TYPE_CHECKING:
    from kubernetes.client import ApiClient

RESOURCE_API = "/apis/resource.k8s.io/v1"
SLICES = f"{RESOURCE_API}/resourceslices"
CONFLICT = 409
DRAIN_S = 15.0
TIMEOUT_S = 30.0
WATCH_S = 240
_PLURALS = {
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "MutatingAdmissionPolicy": "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies",
    "MutatingAdmissionPolicyBinding": "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings",
}


class Client:
    """Requests of one identity. Threads may share it; the official client holds the connections.

    Errors of the server are kubernetes.client.ApiException, as there.
    """

    def __init__(self, kubeconfig: str) -> None:
        self._api = _connect(kubeconfig)

    @classmethod
    def of(cls, home: LabHome, identity: str = "bootstrap") -> Client:
        """The client of one of a lab's identities."""
        path = home.kubeconfig if identity == "admin" else home.conf / f"{identity}.kubeconfig"
        return cls(path.read_text(encoding="utf-8"))

    def get(self, path: str, **query: str) -> Any:
        """The JSON of a GET. query: for example labelSelector."""
        return self._send("GET", path, query=query)

    def items(self, path: str, **query: str) -> list[dict[str, Any]]:
        """The items of a list."""
        return list(self.get(path, **query)["items"])

    def watch(self, path: str, **query: str) -> Iterator[dict[str, Any] | None]:
        """Events of one watch as they come, until the server ends it; first None, once it has begun.

        Silence of more than WATCH_S means that the connection is dead: the server ends each watch before.
        """
        from kubernetes.client import ApiException
        from urllib3 import Timeout

        query |= {"watch": "true", "allowWatchBookmarks": "true", "timeoutSeconds": str(WATCH_S)}
        answer = self._api.rest_client.pool_manager.request(
            "GET",
            f"{self._api.configuration.host}{path}?{urlencode(query)}",
            headers=self._headers("application/json"),
            timeout=Timeout(connect=TIMEOUT_S, read=WATCH_S + TIMEOUT_S),
            preload_content=False,
            retries=False,
        )
        try:
            if answer.status != 200:
                answer.read()
                raise ApiException(http_resp=answer)
            yield None
            yield from _lines(answer.stream(None))
        finally:
            answer.close()

    def apply(self, manifest: dict[str, Any]) -> None:
        """Server-side apply of one bootstrap object."""
        path = f"{_PLURALS[manifest['kind']]}/{manifest['metadata']['name']}"
        query = {"fieldManager": "tessera-lab", "force": "true"}
        self._send("PATCH", path, manifest, query, "application/apply-patch+yaml")

    def node_digests(self, pool_label: str, annotation: str) -> dict[str, str]:
        """Digest of every simulated node, by node name."""
        return _annotated(self.items("/api/v1/nodes", labelSelector=pool_label), annotation)

    def slice_digests(self, annotation: str) -> dict[str, dict[str, str]]:
        """Digests of the slices that carry one, by node name and then by slice name."""
        found: dict[str, dict[str, str]] = {}
        for row in self.items(SLICES):
            if digest := _annotation(row, annotation):
                found.setdefault(row["spec"].get("nodeName", ""), {})[row["metadata"]["name"]] = digest
        return found

    def create_node(self, manifest: dict[str, Any]) -> str:
        """Create a node with its status. Returns its uid."""
        return str(self._send("POST", "/api/v1/nodes", manifest)["metadata"]["uid"])

    def node_uid(self, name: str) -> str:
        """The uid of a node."""
        return str(self.get(f"/api/v1/nodes/{name}")["metadata"]["uid"])

    def create_slice(self, manifest: dict[str, Any], node: str, uid: str) -> None:
        """Publish one slice of a node, owned by it so that it goes with it; one that is left of its name goes first."""
        from kubernetes.client import ApiException

        owner = {"apiVersion": "v1", "kind": "Node", "name": node, "uid": uid, "controller": True}
        fresh = {**manifest, "metadata": {**manifest["metadata"], "ownerReferences": [owner]}}
        try:
            self._send("POST", SLICES, fresh)
        except ApiException as error:
            if error.status != CONFLICT:
                raise
            self.delete_slice(manifest["metadata"]["name"])
            self._send("POST", SLICES, fresh)

    def delete_slice(self, name: str) -> None:
        """Take a slice away, if it is there."""
        self._delete(f"{SLICES}/{name}")

    def remove_node(self, name: str) -> None:
        """Drain a node, then delete it and every slice of it: its pods end first, as on a real scale-down."""
        node = self._find(f"/api/v1/nodes/{name}")
        if node is None:
            return
        cordon = {"spec": {"unschedulable": True}}
        self._send("PATCH", f"/api/v1/nodes/{name}", cordon, content="application/merge-patch+json")
        for pod in self.pods_on(name):
            place = pod["metadata"]
            self._delete(f"/api/v1/namespaces/{place['namespace']}/pods/{place['name']}")
        deadline = time.monotonic() + DRAIN_S
        while self.pods_on(name) and time.monotonic() < deadline:
            time.sleep(0.1)
        self._delete(f"{SLICES}?{urlencode({'fieldSelector': f'spec.nodeName={name}'})}")
        self._delete(f"/api/v1/nodes/{name}")

    def pods_on(self, node: str) -> list[dict[str, Any]]:
        """Pods placed on a node."""
        return self.items("/api/v1/pods", fieldSelector=f"spec.nodeName={node}")

    def _find(self, path: str) -> Any | None:
        from kubernetes.client import ApiException

        try:
            return self.get(path)
        except ApiException as error:
            if error.status == 404:
                return None
            raise

    def _delete(self, path: str) -> None:
        from kubernetes.client import ApiException

        try:
            self._send("DELETE", path)
        except ApiException as error:
            if error.status != 404:
                raise

    def _headers(self, content: str) -> dict[str, str]:
        """Of every request; a kubeconfig's certificate is the connection's, its token is a header."""
        headers = {"Accept": "application/json", "Content-Type": content}
        for setting in self._api.configuration.auth_settings().values():
            headers[setting["key"]] = setting["value"]
        return headers

    def _send(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: dict[str, str] | None = None,
        content: str = "application/json",
    ) -> Any:
        from kubernetes.client import ApiException

        url = self._api.configuration.host + path + (f"?{urlencode(query)}" if query else "")
        headers = self._headers(content)
        text = None if body is None else json.dumps(body)  # JSON is YAML too, so it serves for apply patches
        answer = self._api.rest_client.pool_manager.request(
            method, url, headers=headers, body=text, timeout=TIMEOUT_S, retries=False
        )
        if not 200 <= answer.status < 300:
            raise ApiException(http_resp=answer)
        return json.loads(answer.data)


def manifests(text: str) -> Iterable[dict[str, Any]]:
    """The documents of a YAML stream."""
    return list(yaml.safe_load_all(text))


def _lines(parts: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """JSON objects, one a line, from the parts of a stream."""
    rest = b""
    for part in parts:
        *whole, rest = (rest + part).split(b"\n")
        yield from (json.loads(line) for line in whole if line.strip())


def _connect(kubeconfig: str) -> ApiClient:
    from kubernetes import config

    return config.new_client_from_config_dict(yaml.safe_load(kubeconfig))


def _annotated(rows: list[dict[str, Any]], annotation: str) -> dict[str, str]:
    return {row["metadata"]["name"]: _annotation(row, annotation) for row in rows}


def _annotation(row: dict[str, Any], annotation: str) -> str:
    return str(row["metadata"].get("annotations", {}).get(annotation, ""))
