"""The plan: from a recipe's components to Helm releases, before any chart was read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tessera import naming
from tessera.errors import ProblemsError, TesseraError
from tessera.platform import secrets, version
from tessera.platform.causes import causes
from tessera.platform.facts import LEVELS, facts
from tessera.platform.source import Source, source
from tessera.recipe.order import order
from tessera.recipe.resolved import Component

OWN_NAMESPACES = ("default", "kube-system", "kube-public", "kube-node-lease")
"""Namespaces that each cluster has: they are neither made nor labelled."""


_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_LONGEST = 53
"""Letters of a release's name, as Helm has it."""


@dataclass(frozen=True)
class Settings:
    """What a stack says of all components.

    charts: source of every chart, instead of its own; mirror: registry that images are rewritten to, none where
    containerd's mirrors answer for the original names; has_pull_secret: whether the site has one; secrets: names that
    values may refer to; allow_major: components whose next step may be to another major version.
    timeouts: seconds by component, where they are not the chart's. taken: namespaces that others have, with whose.
    """

    charts: str | None = None
    mirror: str | None = None
    has_pull_secret: bool = False
    secrets: Collection[str] = ()
    allow_major: Collection[str] = ()
    timeouts: Mapping[str, int] = field(default_factory=dict)
    taken: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ReleasePlan:
    """A component as a Helm release. needs: components that must be ready before; timeout_s: seconds for its own.

    crds: true for all that its chart has, false for none, the names of some, or a YAML file that has them.
    kinds: group/Kind of objects that must go before the release does, besides those of its CRDs.
    """

    name: str
    chart: str
    version: str
    source: Source
    namespace: str
    values: Mapping[str, Any]
    needs: tuple[str, ...]
    crds: bool | str | tuple[str, ...]
    timeout_s: int
    kinds: tuple[str, ...]
    images: tuple[str, ...]
    allow_major: bool


@dataclass(frozen=True)
class PlatformPlan:
    """releases: each behind those that it needs; namespaces: Pod Security level by name."""

    releases: tuple[ReleasePlan, ...]
    namespaces: Mapping[str, str]
    mirror: str | None = None
    has_pull_secret: bool = False
    by_name: Mapping[str, ReleasePlan] = field(default_factory=dict, compare=False)


def plan(components: Sequence[Component], settings: Settings | None = None) -> PlatformPlan:
    """The releases of these components. Raises ProblemsError with all that is wrong."""
    settings = settings or Settings()
    problems = list(_problems(components, settings))
    if problems:
        raise ProblemsError(problems)
    known = {one.name: one for one in components}
    releases = tuple(_release(known[name], settings) for name in order({one.name: one.after for one in components}))
    return PlatformPlan(
        releases,
        _namespaces(releases),
        settings.mirror,
        settings.has_pull_secret,
        {one.name: one for one in releases},
    )


def _problems(components: Sequence[Component], settings: Settings) -> Iterator[str]:
    names = [one.name for one in components]
    for name, count in Counter(names).items():
        if count > 1:
            yield f"component {name}: is there {count} times; a component has one release; give the other another name"
    for word, said in (("allowMajor", settings.allow_major), ("timeouts", settings.timeouts)):
        for name in said:
            if name not in names:
                yield f"{word}: {naming.unknown('component', name, names)}"
    yield from causes((one.name, wrong) for one in components for wrong in _wrong(one, names, settings))
    if not any(name for name, count in Counter(names).items() if count > 1):
        yield from _cycle(components, names)


def _cycle(components: Sequence[Component], names: Collection[str]) -> Iterator[str]:
    try:
        order({one.name: [before for before in one.after if before in names] for one in components})
    except TesseraError as error:
        yield str(error)


def _wrong(one: Component, names: Collection[str], settings: Settings) -> Iterator[str]:
    if not _NAME.fullmatch(one.name) or len(one.name) > _LONGEST:
        yield f"names a Helm release: small letters, digits and dashes, at most {_LONGEST}; found {one.name!r}"
    for before in one.after:
        if before not in names:
            yield f"after: {naming.unknown('component', before, names)}"
    if not one.repository and not settings.charts:
        yield f"chart {one.chart} has no repository; name one (https://, oci:// or a folder)"
    try:
        version.series(one.version)
    except TesseraError as error:
        yield str(error)
    if whose := settings.taken.get(one.namespace):
        yield f"namespace {one.namespace!r} is that of {whose} too; the platform has its own, so rename the other"
    for path, name in secrets.references(one.values):
        if name not in settings.secrets:
            make = f"`pulumi config set --secret --path tessera:secrets.{name}` makes it"
            yield f"values.{path}: {naming.unknown('secret', name, settings.secrets)}; {make}"
    if secrets.PULL_SECRET in secrets.pull_secrets(one.values) and not settings.has_pull_secret:
        yield (
            f"values name the pull secret {secrets.PULL_SECRET}, which this stack has not; "
            "set tessera:site.pullSecret (`pulumi config set --secret --path`)"
        )


def _release(one: Component, settings: Settings) -> ReleasePlan:
    known = facts(one.chart)
    crds = one.crds if isinstance(one.crds, bool | str) else True if one.crds is None else tuple(one.crds)
    return ReleasePlan(
        name=one.name,
        chart=one.chart,
        version=one.version,
        source=source(settings.charts or one.repository or str(Path())),
        namespace=one.namespace,
        values=one.values,
        needs=one.after,
        crds=crds,
        timeout_s=settings.timeouts.get(one.name, known.timeout_s),
        kinds=known.kinds,
        images=known.images,
        allow_major=one.name in settings.allow_major,
    )


def _namespaces(releases: Sequence[ReleasePlan]) -> dict[str, str]:
    """The level that the neediest chart of each namespace needs."""
    found: dict[str, str] = {}
    for one in releases:
        if one.namespace not in OWN_NAMESPACES:
            levels = (found.get(one.namespace, LEVELS[0]), facts(one.chart).pod_security)
            found[one.namespace] = max(levels, key=LEVELS.index)
    return dict(sorted(found.items()))
