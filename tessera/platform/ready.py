"""The plan with its charts read: CRDs, what must go before each release, and values as Helm gets them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tessera import naming
from tessera.charts.archive import Files
from tessera.charts.known import known, versions
from tessera.errors import ProblemsError, TesseraError
from tessera.platform.causes import causes
from tessera.platform.crds import Crd, brought, read_crds
from tessera.platform.facts import facts
from tessera.platform.mirror import rewritten
from tessera.platform.plan import PlatformPlan, ReleasePlan


@dataclass(frozen=True)
class Chart:
    """A chart that was read. archive: path of its .tgz, as the program has it; more: YAML of CRDs from elsewhere."""

    archive: str
    files: Files
    more: str = ""


@dataclass(frozen=True)
class ReadyRelease:
    """A release whose chart is here. kinds: group/Kind of objects that must go before it does."""

    plan: ReleasePlan
    archive: str
    values: Mapping[str, Any]
    crds: tuple[Crd, ...]
    kinds: tuple[str, ...]

    @property
    def name(self) -> str:
        """The component's."""
        return self.plan.name


@dataclass(frozen=True)
class ReadyPlatform:
    """releases: each behind those that it needs; namespaces: Pod Security level by name."""

    releases: tuple[ReadyRelease, ...]
    namespaces: Mapping[str, str]

    @property
    def runtime_namespaces(self) -> tuple[str, ...]:
        """Namespaces whose pods run under NVIDIA's container runtime."""
        return tuple(sorted({one.plan.namespace for one in self.releases if facts(one.plan.chart).runtime}))


def ready(plan: PlatformPlan, charts: Mapping[str, Chart]) -> ReadyPlatform:
    """The plan with each component's chart. Raises ProblemsError with all that is wrong with the charts."""
    wrong = []
    releases = []
    for one in plan.releases:
        try:
            releases.append(_ready(one, charts[one.name], plan.mirror))
        except TesseraError as error:
            wrong.append((one.name, str(error)))
    problems = [*causes(wrong), *_owned_twice(releases)]
    if problems:
        raise ProblemsError(problems)
    return ReadyPlatform(tuple(releases), plan.namespaces)


def _ready(one: ReleasePlan, chart: Chart, mirror: str | None) -> ReadyRelease:
    found = brought(chart.files, one.values, f"chart {one.chart} {one.version}")
    crds = _chosen(one, chart, found.crds)
    values = rewritten(one.values, found.defaults, _images(one), mirror) if mirror else one.values
    kinds = {*one.kinds, *found.kinds, *(crd.kind for crd in crds)}
    return ReadyRelease(one, chart.archive, values, crds, tuple(sorted(kinds)))


def _chosen(one: ReleasePlan, chart: Chart, crds: tuple[Crd, ...]) -> tuple[Crd, ...]:
    if isinstance(one.crds, str):
        return tuple(read_crds(chart.more, one.crds))
    if isinstance(one.crds, bool):
        return crds if one.crds else ()
    names = [crd.name for crd in crds]
    for name in one.crds:
        if name not in names:
            raise TesseraError(f"crds: {naming.unknown('CRD of its chart', name, names)}")
    return tuple(crd for crd in crds if crd.name in one.crds)


def _images(one: ReleasePlan) -> Iterable[str]:
    if one.images:
        return one.images
    recorded = one.version in versions().get(one.chart, ())
    return known(one.chart, one.version).tree.images if recorded else ()


def _owned_twice(releases: Iterable[ReadyRelease]) -> list[str]:
    owner: dict[str, str] = {}
    problems = []
    for one in releases:
        for crd in one.crds:
            first = owner.setdefault(crd.name, one.name)
            if first != one.name:
                problems.append(
                    f"component {one.name}: CRD {crd.name} comes with {first} too, and has one owner; list under "
                    f"`crds` of {one.name} or of {first} those that it brings, without this one"
                )
    return problems
