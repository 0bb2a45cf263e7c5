"""Watching: the objects of a cluster, kept as they are by real watches (list, then watch from there)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from lab.client import Client

Object = dict[str, Any]
LISTS = 4
"""Lists under way at once; more gains nothing, and a server has others to serve."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 15.0
FORBIDDEN, GONE, NOT_SERVED = 403, 410, 404
DELETED, BOOKMARK = "DELETED", "BOOKMARK"
CHANGES = ("ADDED", "MODIFIED", DELETED)
"""Events that change what is kept; a bookmark only moves on where the next watch begins."""


@dataclass(frozen=True)
class Source:
    """One kind of object to read. needed: whether not being allowed to is an error."""

    name: str
    path: str
    selector: str = ""
    needed: bool = False

    @property
    def query(self) -> dict[str, str]:
        """What narrows the list."""
        return {"fieldSelector": self.selector} if self.selector else {}


@dataclass
class _Kept:
    """Objects of a source by UID. readable: False where the reader may not list them."""

    objects: dict[str, Object] = field(default_factory=dict)
    readable: bool = True
    version: str = ""


class Store:
    """Objects of several sources. Safe to read while watches write to it."""

    def __init__(self, client: Client, sources: Sequence[Source]) -> None:
        self._client, self._sources = client, sources
        self._kept = {source.name: _Kept() for source in sources}
        self._lost: dict[str, str] = {}
        self._lock, self._changed, self._stopped = threading.Lock(), threading.Event(), threading.Event()

    def load(self) -> None:
        """List every source once. Errors are those of Client; a source that is not needed may be forbidden."""
        with ThreadPoolExecutor(LISTS) as pool:
            list(pool.map(self._list, self._sources))

    def watch(self) -> None:
        """Follow every source that can be read, from what load() found, until stop()."""
        for source in self._sources:
            if self._kept[source.name].readable:
                threading.Thread(target=self._follow, args=(source,), daemon=True).start()

    def stop(self) -> None:
        """Follow no longer; watches under way end with the process."""
        self._stopped.set()
        self._changed.set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait for a change; False where there was none in time. What came meanwhile is one change."""
        changed = self._changed.wait(timeout_s)
        self._changed.clear()
        return changed

    def settle(self, seconds: float) -> None:
        """Let more come for so long, or until stop()."""
        self._stopped.wait(seconds)

    def objects(self, name: str) -> list[Object] | None:
        """The objects of a source; None where the reader may not list them."""
        with self._lock:
            kept = self._kept[name]
            return list(kept.objects.values()) if kept.readable else None

    @property
    def note(self) -> str:
        """What is wrong with the connection right now, or nothing."""
        with self._lock:
            reasons = dict.fromkeys(self._lost.values())
            return f"connection lost ({', '.join(reasons)}); trying again" if reasons else ""

    def _list(self, source: Source) -> None:
        from kubernetes.client import ApiException

        kept = _Kept()
        try:
            found = self._client.get(source.path, **source.query)
            kept.objects = {row["metadata"]["uid"]: _slim(row) for row in found["items"]}
            kept.version = found["metadata"]["resourceVersion"]
        except ApiException as error:
            if source.needed or error.status not in (FORBIDDEN, NOT_SERVED):
                raise
            kept.readable = False
        with self._lock:
            self._kept[source.name] = kept
        self._changed.set()

    def _follow(self, source: Source) -> None:
        """Watch until stopped. A lost connection is tried again, ever more slowly; a gap is listed anew."""
        from kubernetes.client import ApiException
        from urllib3.exceptions import HTTPError

        pause = FIRST_PAUSE_S
        while not self._stopped.is_set():
            try:
                self._catch_up(source)
                pause = FIRST_PAUSE_S
            except (ApiException, HTTPError, OSError, ValueError) as error:
                if isinstance(error, ApiException) and error.status == GONE:
                    self._forget(source)
                else:
                    self._say(source, _reason(error))
                self._stopped.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)

    def _catch_up(self, source: Source) -> None:
        """One watch, until the server ends it."""
        if not self._kept[source.name].version:
            self._list(source)
        version = self._kept[source.name].version
        for event in self._client.watch(source.path, resourceVersion=version, **source.query):
            self._say(source, "")
            if event is not None:
                self._apply(source, event)
            if self._stopped.is_set():
                return

    def _apply(self, source: Source, event: Object) -> None:
        """Keep what an event says; one of a kind that we don't know says nothing."""
        row, what = event["object"], event["type"]
        if what == "ERROR":
            raise _refused(row)
        if what not in (*CHANGES, BOOKMARK):
            return
        with self._lock:
            kept = self._kept[source.name]
            kept.version = row["metadata"]["resourceVersion"]
            if what == DELETED:
                kept.objects.pop(row["metadata"]["uid"], None)
            elif what != BOOKMARK:
                kept.objects[row["metadata"]["uid"]] = _slim(row)
        if what != BOOKMARK:
            self._changed.set()

    def _forget(self, source: Source) -> None:
        """The server no longer knows the version; what was kept stays shown until the new list is there."""
        with self._lock:
            self._kept[source.name].version = ""

    def _say(self, source: Source, reason: str) -> None:
        with self._lock:
            before = self._lost.pop(source.name, "")
            if reason:
                self._lost[source.name] = reason
        if before != reason:
            self._changed.set()


def _slim(row: Object) -> Object:
    """Without what only servers read."""
    row["metadata"].pop("managedFields", None)
    return row


def _refused(status: Object) -> Exception:
    from kubernetes.client import ApiException

    error: Exception = ApiException(status=status.get("code"), reason=status.get("message", ""))
    return error


def _reason(error: Exception) -> str:
    from kubernetes.client import ApiException

    if isinstance(error, ApiException):
        return f"{error.status} {error.reason}"
    return type(error).__name__
