"""Order: components so that each comes after what must be ready before it."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping

from tessera.errors import TesseraError


def order(after: Mapping[str, Iterable[str]]) -> list[str]:
    """Names, each behind those that it comes after; by name among those that are ready.

    Every name that is come after must be a key. Raises TesseraError that prints a cycle as a path.
    """
    waits = {name: set(befores) for name, befores in after.items()}
    followers: dict[str, list[str]] = {name: [] for name in waits}
    for name, befores in waits.items():
        for before in befores:
            followers[before].append(name)
    ready = [name for name, befores in waits.items() if not befores]
    heapq.heapify(ready)
    found = []
    while ready:
        found.append(name := heapq.heappop(ready))
        for follower in followers[name]:
            waits[follower].discard(name)
            if not waits[follower]:
                heapq.heappush(ready, follower)
    if len(found) < len(waits):
        left = {name: befores for name, befores in waits.items() if befores}
        raise TesseraError(f"components: a cycle in `after`: {' after '.join(_cycle(left))}; one of them must give way")
    return found


def _cycle(waits: Mapping[str, set[str]]) -> list[str]:
    """A cycle among names that all wait for one another, from its least name back to it."""
    path, name = [], min(waits)
    while name not in path:
        path.append(name)
        name = min(waits[name] & waits.keys())
    cycle = path[path.index(name) :]
    least = cycle.index(min(cycle))
    turned = [*cycle[least:], *cycle[:least]]
    return [*turned, turned[0]]
