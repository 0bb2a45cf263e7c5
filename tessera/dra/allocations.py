"""Allocations: which pod got which device, and why; read from what the API server says, not from intent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tessera.dra.explain import reasons, sentence

Object = Mapping[str, Any]
"""A Kubernetes object as JSON."""


@dataclass(frozen=True)
class Allocation:
    """One device of one claim, or one claim that waits (then device and node are empty, and why says for what)."""

    namespace: str
    claim: str
    pod: str
    node: str
    device: str
    product: str
    device_class: str
    why: str

    @property
    def waits(self) -> bool:
        """Whether no device was allocated yet."""
        return not self.device


def allocations(
    claims: Iterable[Object], pods: Iterable[Object], slices: Iterable[Object], classes: Iterable[Object]
) -> list[Allocation]:
    """One row per allocated device and per waiting claim, by namespace and pod."""
    devices = _devices(slices)
    selectors = {row["metadata"]["name"]: _expressions(row["spec"]) for row in classes}
    users = _waiting_pods(pods)
    rows: list[Allocation] = []
    for claim in claims:
        results = claim.get("status", {}).get("allocation", {}).get("devices", {}).get("results", [])
        if results:
            rows += [_allocated(claim, result, devices, selectors) for result in results]
        else:
            rows.append(_waiting(claim, users))
    return sorted(rows, key=lambda row: (row.namespace, row.pod, row.claim, row.device))


def _devices(slices: Iterable[Object]) -> dict[tuple[str, str, str], tuple[Object, str]]:
    """Device and node by driver, pool and name; only a pool's latest generation counts."""
    rows = list(slices)
    latest: dict[tuple[str, str], int] = {}
    for spec in (row["spec"] for row in rows):
        latest[_pool(spec)] = max(latest.get(_pool(spec), 0), _generation(spec))
    return {
        (*_pool(spec), device["name"]): (device, spec.get("nodeName") or device.get("nodeName", ""))
        for spec in (row["spec"] for row in rows)
        if _generation(spec) == latest[_pool(spec)]
        for device in spec.get("devices", [])
    }


def _pool(spec: Object) -> tuple[str, str]:
    return spec["driver"], spec["pool"]["name"]


def _generation(spec: Object) -> int:
    return int(spec["pool"].get("generation", 0))


def _expressions(spec: Object) -> list[str]:
    return [row["cel"]["expression"] for row in spec.get("selectors", []) if "cel" in row]


def _allocated(
    claim: Object,
    result: Object,
    devices: Mapping[tuple[str, str, str], tuple[Object, str]],
    selectors: Mapping[str, Sequence[str]],
) -> Allocation:
    request = _request(claim, result["request"])
    name = request.get("deviceClassName", "")
    place = (result["driver"], result["pool"], result["device"])
    device, node = devices.get(place, ({}, ""))
    if device:
        expressions = [*selectors.get(name, []), *_expressions(request)]
        why = sentence(reasons(expressions, device, result["driver"]))
    else:
        why = "the device is in no slice any more"
    return _row(claim, _holders(claim), node, result["device"], _product(device), name, why)


def _request(claim: Object, name: str) -> Object:
    """The request that a result names; request/subrequest names one of its alternatives."""
    main, _, alternative = name.partition("/")
    for request in _requests(claim):
        if request["name"] == main:
            options = request.get("firstAvailable", [])
            chosen = next((option for option in options if option["name"] == alternative), None)
            found: Object = chosen or request.get("exactly", {})
            return found
    return {}


def _waiting(claim: Object, users: Mapping[tuple[str, str], Sequence[tuple[str, str]]]) -> Allocation:
    found = users.get((claim["metadata"]["namespace"], claim["metadata"]["name"]), [])
    pods = ", ".join(pod for pod, _ in found)
    why = "; ".join(dict.fromkeys(said for _, said in found)) or "no pod uses it"
    return _row(claim, pods, "", "", "", ", ".join(_class_names(claim)), why)


def _requests(claim: Object) -> Sequence[Object]:
    found: Sequence[Object] = claim["spec"].get("devices", {}).get("requests", [])
    return found


def _class_names(claim: Object) -> Iterator[str]:
    for request in _requests(claim):
        for option in request.get("firstAvailable", [request.get("exactly", {})]):
            yield option.get("deviceClassName", "")


def _waiting_pods(pods: Iterable[Object]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Pods, and what the scheduler said of each, by namespace and claim."""
    users: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for pod in pods:
        said = [row for row in pod.get("status", {}).get("conditions", []) if row["type"] == "PodScheduled"]
        why = said[0].get("message", "") if said else "not looked at by the scheduler yet"
        for name in _claim_names(pod):
            users.setdefault((pod["metadata"]["namespace"], name), []).append((pod["metadata"]["name"], why))
    return users


def _claim_names(pod: Object) -> set[str]:
    """Claims that a pod uses: those made for it from templates, and those that it names itself."""
    made = pod.get("status", {}).get("resourceClaimStatuses", [])
    named = pod.get("spec", {}).get("resourceClaims", [])
    return {row["resourceClaimName"] for row in (*made, *named) if row.get("resourceClaimName")}


def _holders(claim: Object) -> str:
    return ", ".join(row["name"] for row in claim.get("status", {}).get("reservedFor", []))


def _product(device: Object) -> str:
    value = device.get("attributes", {}).get("productName", {})
    return str(value.get("string", ""))


def _row(claim: Object, pod: str, node: str, device: str, product: str, name: str, why: str) -> Allocation:
    place = claim["metadata"]
    return Allocation(place["namespace"], place["name"], pod, node, device, product, name, why)
