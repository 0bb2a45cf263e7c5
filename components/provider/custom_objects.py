"""tessera:platform:CustomObjects, the objects of a component's CRDs, which must go before its release does.

Inputs: component (name), kinds (list of group/Kind), kubeconfig (secret), timeoutSeconds. State: the same. It makes
nothing; its delete removes those objects while the controllers that take their finalizers off still run.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from components.provider.cluster import Cluster
from components.provider.resource import Call, Difference, Values
from components.provider.wire import Secret
from tessera.errors import TesseraError

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_EVERY_S = 0.5
_SHOWN = 5


class CustomObjectsResource:
    """The id is the component's name."""

    def check(self, call: Call, inputs: Values) -> tuple[Values, dict[str, str]]:
        """The kubeconfig stays a secret."""
        return _sealed(inputs), {}

    def diff(self, call: Call, resource_id: str, state: Values, old: Values, new: Values) -> Difference:
        """Everything changes in place."""
        keys = ("kinds", "kubeconfig", "timeoutSeconds")
        return Difference(changed=tuple(key for key in keys if state.get(key) != new.get(key)))

    def plan(self, resource_id: str | None, state: Values, new: Values) -> Values:
        """All of it is known."""
        return _sealed(new)

    def create(self, call: Call, inputs: Values) -> tuple[str, Values]:
        """Note what to remove."""
        return str(inputs["component"]), _sealed(inputs)

    def read(self, call: Call, resource_id: str, old_inputs: Values) -> tuple[Values, Values] | None:
        """As it was noted."""
        return (_sealed(old_inputs), _sealed(old_inputs)) if old_inputs else None

    def update(self, call: Call, resource_id: str, inputs: Values) -> Values:
        """Note what to remove."""
        return _sealed(inputs)

    def delete(self, call: Call, resource_id: str) -> None:
        """Remove the objects and wait until they are gone. Raises TesseraError that names those that stay."""
        cluster = Cluster(str(call.state["kubeconfig"]))
        paths = list(_paths(cluster, set(call.state["kinds"])))
        deadline = time.monotonic() + float(call.state["timeoutSeconds"])
        asked: set[str] = set()
        while left := [(path, one) for path in paths for one in cluster.items(path)]:
            for path, one in left:
                if one["metadata"]["uid"] not in asked:
                    asked.add(one["metadata"]["uid"])
                    cluster.delete(_path(path, one))
            call.report(f"objects of {resource_id} to remove: {len(left)}")
            if time.monotonic() > deadline:
                raise TesseraError(_stuck(resource_id, left))
            if call.cancelled.wait(_EVERY_S):
                raise TesseraError(f"component {resource_id}: interrupted while its objects were removed")


def _sealed(values: Values) -> Values:
    return {
        key: Secret(value) if key == "kubeconfig" and isinstance(value, str) else value for key, value in values.items()
    }


def _paths(cluster: Cluster, kinds: set[str]) -> Iterator[str]:
    """Where the objects of those kinds are listed, for the CRDs that are there."""
    for crd in cluster.items(CRDS):
        spec = crd["spec"]
        if f"{spec['group']}/{spec['names']['kind']}" in kinds:
            version = next(one["name"] for one in spec["versions"] if one["served"])
            yield f"/apis/{spec['group']}/{version}/{spec['names']['plural']}"


def _path(listed: str, one: dict[str, Any]) -> str:
    head, _, plural = listed.rpartition("/")
    namespace = one["metadata"].get("namespace")
    within = f"/namespaces/{namespace}" if namespace else ""
    return f"{head}{within}/{plural}/{one['metadata']['name']}"


def _stuck(component: str, left: list[tuple[str, dict[str, Any]]]) -> str:
    named = [_named(path, one) for path, one in left[:_SHOWN]]
    more = f" and {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
    return (
        f"component {component}: its release stays, because objects of its CRDs are still there: "
        f"{', '.join(named)}{more}; see why its controllers do not finish them, or take the finalizers off, "
        "then destroy again"
    )


def _named(path: str, one: dict[str, Any]) -> str:
    place = one["metadata"]
    name = "/".join(filter(None, (place.get("namespace"), place["name"])))
    holding = ", ".join(place.get("finalizers", ()))
    return f"{path.rpartition('/')[2]} {name}" + (f" (held by {holding})" if holding else "")
