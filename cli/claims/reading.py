"""What `tessera claims` reads of a cluster: with a reader's permissions, and no more than it shows."""

from __future__ import annotations

from lab.client import RESOURCE_API, Client
from lab.watching import Source, Store
from tessera.dra.allocations import allocations
from tessera.dra.explain import Matcher
from tessera.dra.refusals import CLAIM_REFUSED, POD_REFUSED
from tessera.dra.rows import Filter, Row
from tessera.dra.seen import Seen

CONTROLLERS = {"replicasets": "/apis/apps/v1", "statefulsets": "/apis/apps/v1", "jobs": "/apis/batch/v1"}
EVENTS = {"refused claims": CLAIM_REFUSED, "refused pods": POD_REFUSED}


class Cluster:
    """A cluster, or one namespace of it, as its reader sees it. Reads once when made; watch() goes on from there."""

    def __init__(self, what: str, client: Client, namespace: str | None, keep: Filter) -> None:
        self.what, self._namespace, self._keep = what, namespace, keep
        self.store = Store(client, sources(namespace))
        self.store.load()
        self._matcher = Matcher()

    def rows(self) -> list[Row]:
        """The rows that the user wants, by namespace and pod."""
        return [row for row in allocations(self._seen(), self._matcher) if self._keep.keeps(row)]

    @property
    def note(self) -> str:
        """What is not as it should be: what can't be read, or a lost connection."""
        unread = [source.name for source in sources(self._namespace) if self.store.objects(source.name) is None]
        parts = [f"not readable for this user: {', '.join(unread)}" if unread else "", self.store.note]
        return "; ".join(part for part in parts if part)

    def _seen(self) -> Seen:
        return Seen(
            claims=self.store.objects("claims") or [],
            pods=self.store.objects("pods") or [],
            slices=self.store.objects("slices"),
            classes=self.store.objects("classes"),
            events=self._all(EVENTS),
            controllers=self._all(CONTROLLERS),
            whole=self._namespace is None,
        )

    def _all(self, names: dict[str, str]) -> list[dict[str, object]] | None:
        """Objects of several sources; None where one of them can't be read."""
        found = [self.store.objects(name) for name in names]
        return None if None in found else [row for rows in found for row in rows or ()]


def sources(namespace: str | None) -> list[Source]:
    """What to read. namespace: no list goes beyond it, but for slices and classes, which are in none."""

    def path(api: str, plural: str) -> str:
        return f"{api}/namespaces/{namespace}/{plural}" if namespace else f"{api}/{plural}"

    return [
        Source("claims", path(RESOURCE_API, "resourceclaims"), needed=True),
        Source("pods", path("/api/v1", "pods"), needed=True),
        Source("slices", f"{RESOURCE_API}/resourceslices"),
        Source("classes", f"{RESOURCE_API}/deviceclasses"),
        *(Source(name, path("/api/v1", "events"), f"reason={reason}") for name, reason in EVENTS.items()),
        *(Source(name, path(api, name)) for name, api in CONTROLLERS.items()),
    ]
