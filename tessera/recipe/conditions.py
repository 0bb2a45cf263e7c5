"""Conditions: which criteria there are, and whether a block's `when` matches them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from tessera import naming
from tessera.recipe.marked import Marked

CLUSTER = ("service", "kubernetes", "intent", "framework")
POOL = ("accelerator", "gpu", "architecture", "os", "sharing")
OPTIONAL = ("intent",)
"""Criteria of the cluster that a stack may leave out."""

CRITERIA = {"cluster": CLUSTER, "pool": (*CLUSTER, *POOL)}
"""By scope of a layer: the criteria that its conditions may read."""

When = Mapping[str, tuple[str, ...]]
"""By criterion, the values of which one must be there."""

Words = Mapping[str, Collection[str]]
"""By criterion, the values that are known; a criterion that is not named takes any text."""

WORDS: Words = {
    "service": ("eks", "metal", "lab"),
    "intent": ("training", "inference", "interactive"),
    "framework": ("kubeflow", "dynamo", "none"),
    "architecture": ("amd64", "arm64"),
    "os": ("ubuntu-24.04", "ubuntu-22.04", "amazonlinux-2023", "rhel-9", "debian-12", "debian-13"),
    "sharing": ("dra", "dynamic-mig", "mig", "time-slicing", "mps", "none"),
}


def known(layers: Iterable[str], more: Words) -> Words:
    """The known words, those that have a layer of their own (os/fedora-42), and more that the caller knows."""
    words = {criterion: set(values) for criterion, values in WORDS.items()}
    for criterion, values in more.items():
        words.setdefault(criterion, set()).update(values)
    for layer in layers:
        folder, _, name = layer.partition("/")
        if folder in words:
            words[folder].add(name)
    return words


def matches(when: When, criteria: Mapping[str, str]) -> bool:
    """Whether all named criteria match. One that is not there matches nothing."""
    return all(criteria.get(criterion) in values for criterion, values in when.items())


def read(said: Marked, scope: str, words: Words) -> tuple[When, list[tuple[int, str]]]:
    """A block's condition, and its problems, each with its line."""
    if not isinstance(said.value, dict):
        return {}, [(said.line, f"when: must map criteria to values; found {said.plain!r}; {{}} means always")]
    when, problems = {}, []
    for criterion, marked in said.value.items():
        values = marked.plain if isinstance(marked.value, list) else [marked.plain]
        when[criterion] = tuple(str(value) for value in values)
        problems += [(marked.line, f"when.{criterion}: {what}") for what in _wrong(criterion, values, scope, words)]
    return when, problems


def _wrong(criterion: str, values: list[Any], scope: str, words: Words) -> Iterator[str]:
    if criterion in POOL and scope == "cluster":
        yield "is a pool's criterion, which a layer of scope cluster can't read; say scope: pool"
    elif criterion not in CRITERIA["pool"]:
        yield naming.unknown("criterion", criterion, CRITERIA[scope])
    if not values:
        yield "an empty list matches nothing; name a value or leave the criterion out"
    for value in values:
        if not isinstance(value, str):
            yield f"must be text; found {value!r}; write it in quotes"
        elif criterion in words and value not in words[criterion]:
            yield naming.unknown(criterion, value, words[criterion])
