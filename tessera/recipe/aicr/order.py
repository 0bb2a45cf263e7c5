"""Order: what each component comes after, so that ours is theirs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from tessera.recipe.aicr.result import Ref


def bridged(refs: Sequence[Ref], gone: Collection[str]) -> dict[str, set[str]]:
    """By component, what it depends on; in place of one that is gone, what that one depended on."""
    depends = {one.name: one.depends for one in refs}
    return {one.name: _through(one.depends, depends, gone, set()) for one in refs if one.name not in gone}


def _through(
    names: Sequence[str], depends: Mapping[str, Sequence[str]], gone: Collection[str], seen: set[str]
) -> set[str]:
    found: set[str] = set()
    for name in names:
        if name not in gone:
            found.add(name)
        elif name not in seen:
            found |= _through(depends[name], depends, gone, {*seen, name})
    return found


def kept(after: Mapping[str, set[str]], wanted: Sequence[str]) -> dict[str, set[str]]:
    """The same with what it takes to keep an order: whoever could go earlier by its name waits for the one before.

    wanted: every name once, and none before what it comes after (`too_early` tells).
    """
    found = {name: set(befores) for name, befores in after.items()}
    done: set[str] = set()
    for name in wanted:
        for other in sorted(found.keys() - done):
            if other < name and found[other] <= done:
                found[other].add(name)
        done.add(name)
    return found


def too_early(after: Mapping[str, set[str]], wanted: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of a component and one that it comes after but that stands behind it."""
    place = {name: at for at, name in enumerate(wanted)}
    for name, befores in after.items():
        yield from ((name, one) for one in sorted(befores) if one in place and place[one] > place.get(name, -1) >= 0)
