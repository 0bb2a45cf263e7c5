"""Pods as users of claims."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from tessera.dra.stock import Object

DONE = ("Succeeded", "Failed")


class Users:
    """Which pods use which claim. Pods that have ended use none."""

    def __init__(self, pods: Iterable[Object]) -> None:
        self.live = [pod for pod in pods if pod.get("status", {}).get("phase") not in DONE]
        self._users: dict[tuple[str, str], list[Object]] = defaultdict(list)
        for pod in self.live:
            for name in claim_names(pod):
                self._users[pod["metadata"]["namespace"], name].append(pod)

    def of(self, claim: Object) -> list[Object]:
        """The pods that use a claim."""
        return self._users.get((claim["metadata"]["namespace"], claim["metadata"]["name"]), [])

    def waiting(self, claim: Object) -> list[Object]:
        """The pods that use a claim and have no node yet."""
        return [pod for pod in self.of(claim) if not placed(pod)]


def placed(pod: Object) -> bool:
    """Whether a pod has a node."""
    return bool(pod["spec"].get("nodeName"))


def claim_names(pod: Object) -> dict[str, None]:
    """Claims that a pod uses: those made for it from templates, those that it names itself, that of its resources."""
    made = pod.get("status", {}).get("resourceClaimStatuses", [])
    named = pod["spec"].get("resourceClaims", [])
    extended = pod.get("status", {}).get("extendedResourceClaimStatus")
    rows = (*made, *named, *([extended] if extended else []))
    return dict.fromkeys(row["resourceClaimName"] for row in rows if row.get("resourceClaimName"))


def lacking(pod: Object) -> Iterator[Object]:
    """Entries of a pod's resourceClaims for which the control plane has named no claim yet."""
    answered = {row["name"] for row in pod.get("status", {}).get("resourceClaimStatuses", [])}
    for entry in pod["spec"].get("resourceClaims", []):
        if not entry.get("resourceClaimName") and entry["name"] not in answered:
            yield entry


def extended_resources(pod: Object) -> dict[str, int]:
    """Extended resources that a pod's containers ask for: name to count."""
    found: dict[str, int] = {}
    for container in pod["spec"].get("containers", []):
        resources = container.get("resources", {})
        for name, amount in {**resources.get("limits", {}), **resources.get("requests", {})}.items():
            if "/" in name and str(amount).isdigit():
                found[name] = found.get(name, 0) + int(amount)
    return found
