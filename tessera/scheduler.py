"""The scheduler: what a recipe says of it, and the file that kube-scheduler reads.

The file is kubescheduler.config.k8s.io/v1, the same for a lab and for a control plane of our own. A managed
control plane takes none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tessera import naming
from tessera.errors import ProblemsError

DEFAULT_PROFILE = "default-scheduler"
SCORING = ("spread", "pack")
"""spread: Kubernetes' own, the emptiest node first; pack: the fullest first, so that whole boards stay free."""

_VALUES = ("percentage_of_nodes_to_score", "parallelism", "filter_timeout_s", "profiles")
_PROFILE = ("scoring", "without")
_PERCENT, _PARALLEL, _SECONDS = (0, 100), (1, 256), (0, 600)


@dataclass(frozen=True)
class Profile:
    """How pods that name it are placed. scoring: of SCORING; without: plugins that it leaves out."""

    name: str = DEFAULT_PROFILE
    scoring: str = "spread"
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scheduler:
    """A scheduler's settings; what is None stays as Kubernetes has it.

    percentage_of_nodes_to_score: percent of all nodes that are enough to choose from (0: by cluster size; below 100
    nodes all are looked at); parallelism: nodes looked at at once; filter_timeout_s: seconds of search for devices
    on one node (0: no end); profiles: the default one is there unasked.
    """

    percentage_of_nodes_to_score: int | None = None
    parallelism: int | None = None
    filter_timeout_s: int | None = None
    profiles: tuple[Profile, ...] = field(default=())


def scheduler(values: Mapping[str, Any]) -> Scheduler:
    """The settings of a recipe's control_plane.scheduler. Raises ProblemsError with every problem."""
    problems = [*_number_problems(values), *_profile_problems(values.get("profiles") or {})]
    if problems:
        raise ProblemsError([f"control_plane.scheduler: {problem}" for problem in problems])
    profiles = [
        Profile(name, said.get("scoring", "spread"), tuple(said.get("without", ())))
        for name, said in sorted((values.get("profiles") or {}).items())
    ]
    numbers = {key: values.get(key) for key in _VALUES if key != "profiles"}
    return Scheduler(**numbers, profiles=tuple(profiles))


def configuration(wanted: Scheduler, kubeconfig: str) -> dict[str, Any]:
    """The KubeSchedulerConfiguration. kubeconfig: path of the file by which the scheduler reaches the API server.

    The client's limits are lifted: each pod with a claim costs the scheduler four requests and more.
    """
    numbers = {"percentageOfNodesToScore": wanted.percentage_of_nodes_to_score, "parallelism": wanted.parallelism}
    others = [profile for profile in wanted.profiles if profile.name != DEFAULT_PROFILE]
    default = next((profile for profile in wanted.profiles if profile.name == DEFAULT_PROFILE), Profile())
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "clientConnection": {"kubeconfig": kubeconfig, "qps": 1000, "burst": 2000},
        "leaderElection": {"leaderElect": False},
        **{key: value for key, value in numbers.items() if value is not None},
        "profiles": [_profile(profile, wanted) for profile in (default, *others)],
    }


def _profile(profile: Profile, wanted: Scheduler) -> dict[str, Any]:
    made: dict[str, Any] = {"schedulerName": profile.name}
    if profile.without:
        made["plugins"] = {"multiPoint": {"disabled": [{"name": name} for name in profile.without]}}
    if config := list(_plugin_config(profile, wanted)):
        made["pluginConfig"] = config
    return made


def _plugin_config(profile: Profile, wanted: Scheduler) -> Iterator[dict[str, Any]]:
    if wanted.filter_timeout_s is not None:
        yield {"name": "DynamicResources", "args": {"filterTimeout": f"{wanted.filter_timeout_s}s"}}
    if profile.scoring == "pack":
        resources = [{"name": name, "weight": 1} for name in ("cpu", "memory")]
        strategy = {"type": "MostAllocated", "resources": resources}
        yield {"name": "NodeResourcesFit", "args": {"scoringStrategy": strategy}}


def _number_problems(values: Mapping[str, Any]) -> Iterator[str]:
    yield from (naming.unknown("key", key, _VALUES) for key in values if key not in _VALUES)
    for key, (least, most) in zip(_VALUES, (_PERCENT, _PARALLEL, _SECONDS), strict=False):
        found = values.get(key)
        if found is not None and (type(found) is not int or not least <= found <= most):
            yield f"{key}: found {found!r}, allowed: a whole number from {least} to {most}"


def _profile_problems(profiles: Any) -> Iterator[str]:
    if not isinstance(profiles, Mapping):
        yield f"profiles: must be a mapping of names; found {profiles!r}"
        return
    for name, said in profiles.items():
        if not isinstance(said, Mapping):
            yield f"profiles.{name}: must be a mapping; found {said!r}"
            continue
        yield from (f"profiles.{name}: {naming.unknown('key', key, _PROFILE)}" for key in said if key not in _PROFILE)
        if (scoring := said.get("scoring", "spread")) not in SCORING:
            yield f"profiles.{name}: {naming.unknown('scoring', str(scoring), SCORING)}"
        without = said.get("without", [])
        if not isinstance(without, list | tuple) or not all(isinstance(plugin, str) for plugin in without):
            yield f"profiles.{name}.without: must be a list of plugins; found {without!r}"
