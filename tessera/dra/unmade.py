"""Unmade: pods whose claim was never made, and controllers whose pods were refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tessera.dra.pods import Users, extended_resources, lacking, placed
from tessera.dra.refusals import Refusal, refusal, refused_claims, refused_pods, told_at
from tessera.dra.rows import UNKNOWN, Row, State
from tessera.dra.seen import Seen
from tessera.dra.stock import Object
from tessera.dra.waiting import NOT_MADE, Finding
from tessera.dra.workload import of_controller, of_pod

IMPLICIT = "deviceclass.resource.kubernetes.io/"
"""Every class is also an extended resource of this name and its own."""

UNTOLD = Finding(NOT_MADE.reason, f"{NOT_MADE.why}; the reason is {UNKNOWN}, for events can't be read")

Waits = Callable[[Object, Object | None], Finding]
"""Why a pod waits, given the claim that it needs."""


def unmade(seen: Seen, users: Users, waits: Waits) -> Iterator[Row]:
    """Rows of pods without the claim they need, and of controllers without the pods they want."""
    made = _Classes(seen.classes or ())
    late = NOT_MADE if seen.events is not None else UNTOLD
    refused = refused_claims(seen.events or ())
    there = {(claim["metadata"]["namespace"], claim["metadata"]["name"]) for claim in seen.claims}
    for pod in users.live:
        if not placed(pod):
            yield from _of_templates(pod, refused, made, late)
            yield from _of_names(pod, there)
            yield from _of_resources(pod, made, waits)
    yield from _of_controllers(seen, users, made)


@dataclass(frozen=True)
class _Classes:
    """Classes by the extended resources that stand for them."""

    classes: Iterable[Object]

    @cached_property
    def by_resource(self) -> Mapping[str, str]:
        """Explicit names only; the implicit ones carry the class."""
        rows = [(row["spec"].get("extendedResourceName"), row["metadata"]["name"]) for row in self.classes]
        return {resource: name for resource, name in rows if resource}

    def of_resource(self, resource: str) -> str:
        """The class of an extended resource, or nothing."""
        if resource.startswith(IMPLICIT):
            return resource.removeprefix(IMPLICIT)
        return self.by_resource.get(resource, "")

    def of_refusal(self, refused: Refusal) -> str:
        """The classes whose quota was in the way."""
        names = (row.device_class or self.by_resource.get(row.extended, "") for row in refused.asked)
        return ", ".join(dict.fromkeys(name for name in names if name))


def _of_templates(
    pod: Object, refused: Mapping[tuple[str, str], Refusal], classes: _Classes, late: Finding
) -> Iterator[Row]:
    for entry in lacking(pod):
        row = _row(pod, entry["name"], "", late)
        if found := refused.get((pod["metadata"].get("uid", ""), entry["name"])):
            state: State = "refused" if found.forbids else "waiting"
            name = classes.of_refusal(found)
            row = replace(row, state=state, reason=found.reason, why=found.why, device_class=name)
        yield row


def _of_names(pod: Object, there: set[tuple[str, str]]) -> Iterator[Row]:
    for entry in pod["spec"].get("resourceClaims", []):
        name = entry.get("resourceClaimName")
        if name and (pod["metadata"]["namespace"], name) not in there:
            why = f"claim {name} does not exist in {pod['metadata']['namespace']}"
            yield replace(_row(pod, entry["name"], "", Finding("no such claim", why)), claim=name)


def _of_resources(pod: Object, classes: _Classes, waits: Waits) -> Iterator[Row]:
    """Pods that ask by an extended resource: the scheduler makes their claim when it has found a node."""
    if pod.get("status", {}).get("extendedResourceClaimStatus"):
        return
    asked = {classes.of_resource(name): count for name, count in extended_resources(pod).items()}
    wanted = {name: count for name, count in asked.items() if name and count}
    if wanted:
        claim = _would_be(wanted)
        yield _row(pod, "extended resources", ", ".join(wanted), waits(pod, claim))


def _would_be(wanted: Mapping[str, int]) -> Object:
    """The claim that the scheduler would make."""
    rows = [{"name": name, "exactly": {"deviceClassName": name, "count": count}} for name, count in wanted.items()]
    return {"spec": {"devices": {"requests": rows}}}


def _of_controllers(seen: Seen, users: Users, classes: _Classes) -> Iterator[Row]:
    refused = refused_pods(seen.events or ())
    if not refused:
        return
    newest = _newest_pods(users)
    known = None if seen.controllers is None else {row["metadata"]["uid"]: row for row in seen.controllers}
    for uid, event in refused.items():
        missing = _missing(uid, event, known, newest)
        if missing and refusal(event.get("message", ""), "").forbids:
            labels = (known or {}).get(uid, {}).get("metadata", {}).get("labels", {})
            yield _of_controller(event, missing, labels, classes)


def _missing(uid: str, event: Object, known: Mapping[str, Object] | None, newest: Mapping[str, str]) -> int:
    """How many pods a controller lacks. One that can't be read lacks one, unless it made a pod since the event."""
    if known is not None and event["involvedObject"]["kind"] in ("ReplicaSet", "StatefulSet", "Job"):
        return lacks(known[uid]) if uid in known else 0
    return 0 if newest.get(uid, "") > told_at(event) else 1


def lacks(controller: Object) -> int:
    """Pods that a ReplicaSet, StatefulSet or Job wants and does not have."""
    spec, status = controller["spec"], controller.get("status", {})
    if "replicas" in spec:
        return max(0, int(spec["replicas"]) - int(status.get("replicas", 0)))
    if spec.get("suspend") or any(row["type"] in ("Complete", "Failed") for row in status.get("conditions", [])):
        return 0
    left = int(spec.get("completions", spec.get("parallelism", 1))) - int(status.get("succeeded", 0))
    return max(0, min(int(spec.get("parallelism", 1)), left) - int(status.get("active", 0)))


def _newest_pods(users: Users) -> dict[str, str]:
    """When each controller last made a pod."""
    found: dict[str, str] = {}
    for pod in users.live:
        for owner in pod["metadata"].get("ownerReferences", []):
            created = pod["metadata"].get("creationTimestamp", "")
            found[owner.get("uid", "")] = max(found.get(owner.get("uid", ""), ""), created)
    return found


def _of_controller(event: Object, missing: int, labels: Object, classes: _Classes) -> Row:
    of = event["involvedObject"]
    namespace, name = of.get("namespace", ""), of["name"]
    found = refusal(event.get("message", ""), namespace)
    workload = of_controller({"kind": of["kind"], "name": name}, labels)
    key = f"{namespace}/{of['kind']}/{name}"
    name, told = classes.of_refusal(found), (found.reason, found.why)
    return Row(key, namespace, "", (), workload, name, "refused", *told, pods_missing=missing)


def _row(pod: Object, part: str, device_class: str, finding: Finding) -> Row:
    namespace, name = pod["metadata"]["namespace"], pod["metadata"]["name"]
    key = f"{namespace}/pod/{name}/{part}"
    return Row(key, namespace, "", (name,), of_pod(pod), device_class, "waiting", finding.reason, finding.why)
