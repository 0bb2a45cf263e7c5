"""Rules for GPUs: versions at or above their floors, one driver on a node, no way to a GPU past the scheduler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tessera.charts.keys import at
from tessera.recipe.resolved import ResolvedRecipe
from tessera.recipe.security.floors import below
from tessera.recipe.security.problem import Problem, found, of_chart

OPERATOR = "gpu-operator"
ENVVAR = "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED"
MOUNTS = "ACCEPT_NVIDIA_VISIBLE_DEVICES_AS_VOLUME_MOUNTS"


def host_floors(recipe: ResolvedRecipe) -> Iterator[Problem]:
    """Driver and toolkit of each pool's hosts."""
    for pool in recipe.pools:
        for part in ("driver", "toolkit"):
            said = pool.hosts.get(part, {})
            if said.get("source") != "simulated" and (wrong := below(part, str(said.get("version", "")))):
                yield found(recipe, f"{part}-floor", f"pools.{pool.name}.hosts.{part}.version", wrong)


def chart_floors(recipe: ResolvedRecipe) -> Iterator[Problem]:
    """The operator, and the driver, toolkit and device plugin that it brings."""
    for one in recipe.components:
        if one.chart == OPERATOR and (wrong := below(OPERATOR, one.version)):
            yield found(recipe, "operator-floor", f"components.{one.name}.version", wrong)
        if one.chart == "nvidia-device-plugin" and (wrong := below("device-plugin", one.version)):
            yield found(recipe, "device-plugin-floor", f"components.{one.name}.version", wrong)
    parts = (("driver", "driver"), ("toolkit", "toolkit"), ("devicePlugin", "device-plugin"))
    for path, values in of_chart(recipe, OPERATOR):
        for key, what in parts:
            version = str(at(values, f"{key}.version", ""))
            if at(values, f"{key}.enabled", True) and (wrong := below(what, version)):
                yield found(recipe, f"{what}-floor", f"{path}.{key}.version", wrong)


def environment(recipe: ResolvedRecipe) -> Iterator[Problem]:
    """An image must not name its GPUs in a variable: that passes the scheduler by."""
    for pool in recipe.pools:
        if at(pool.hosts, "toolkit.unprivileged_env_devices", False) is not False:
            path = f"pools.{pool.name}.hosts.toolkit.unprivileged_env_devices"
            yield found(recipe, "environment-bypass", path, "found true, allowed: false; any image could take all GPUs")
    for path, values in of_chart(recipe, OPERATOR):
        yield from _toolkit(recipe, path, values)
        listed = str(_env(values, "devicePlugin").get("DEVICE_LIST_STRATEGY", ""))
        if "envvar" in listed.split(","):
            said = f"DEVICE_LIST_STRATEGY: found {listed}, allowed: cdi-cri, cdi-annotations, volume-mounts"
            yield found(recipe, "environment-bypass", f"{path}.devicePlugin.env", said)


def _toolkit(recipe: ResolvedRecipe, path: str, values: Mapping[str, Any]) -> Iterator[Problem]:
    if not at(values, "toolkit.enabled", True):
        return
    env = _env(values, "toolkit")
    wanted = {ENVVAR: "false"}
    no_cdi = not at(values, "cdi.enabled", True)
    if no_cdi and str(env.get(MOUNTS, "unset")).lower() != "true":
        said = f"found false, allowed: true; or toolkit.env with {MOUNTS}: 'true', as mounts hand GPUs over then"
        yield found(recipe, "environment-bypass", f"{path}.cdi.enabled", said)
    elif "volume-mounts" in str(_env(values, "devicePlugin")):
        wanted[MOUNTS] = "true"
    for name, value in wanted.items():
        if str(env.get(name, "unset")).lower() != value:
            said = f"{name}: found {env.get(name, 'nothing')}, allowed: {value!r}; else any image could take all GPUs"
            yield found(recipe, "environment-bypass", f"{path}.toolkit.env", said)
    if str(env.get("CONTAINERD_SET_AS_DEFAULT", "false")).lower() == "true":
        said = "CONTAINERD_SET_AS_DEFAULT: found true, allowed: false; every pod would run under nvidia's runtime"
        yield found(recipe, "environment-bypass", f"{path}.toolkit.env", said)


def _env(values: Mapping[str, Any], part: str) -> dict[str, Any]:
    rows = at(values, f"{part}.env", [])
    return {row["name"]: row.get("value") for row in rows if isinstance(row, dict) and "name" in row}


def two_drivers(recipe: ResolvedRecipe) -> Iterator[Problem]:
    """The operator brings driver and toolkit exactly where nobody else does."""
    for part in ("driver", "toolkit"):
        sources = {pool.name: said for pool in recipe.pools if (said := at(pool.hosts, f"{part}.source"))}
        if not sources:
            continue
        wanted = "operator" in sources.values()
        for path, values in of_chart(recipe, OPERATOR):
            on = bool(at(values, f"{part}.enabled", True))
            if on != wanted:
                whose = ", ".join(f"{name} ({said})" for name, said in sources.items())
                switch = f"found {str(on).lower()}, allowed: {str(wanted).lower()}"
                said = f"{switch}; the {part} of pools {whose} comes from there"
                yield found(recipe, f"one-{part}", f"{path}.{part}.enabled", said)
