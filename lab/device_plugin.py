"""A stand-in for NVIDIA's device plugin: what a node counts, read from its labels and the files that a cluster gets.

It knows nothing of the plan from which labels and files were made, so it tests them.
Facts: k8s-device-plugin 0.19, api/config/v1, cmd/config-manager, cmd/nvidia-device-plugin and internal/rm. The plugin
passes over fields that it does not know; here they are refused, for nobody writes one on purpose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import yaml

from lab.mig_parted import Cuts, cut, uncut
from tessera.errors import TesseraError
from tessera.hardware.machines import Machine
from tessera.hardware.mig import profile
from tessera.sharing.files import UNCUT, Files
from tessera.sharing.labels import MIG_CONFIG, PLUGIN_CONFIG, RUNS_PLUGIN

GPU = "nvidia.com/gpu"
_TOP = {"version", "flags", "resources", "sharing", "imex"}
_FLAGS = {"migStrategy", "failOnInitError", "nvidiaDriverRoot", "nvidiaDevRoot", "deviceDiscoveryStrategy", "plugin"}
_SHARED = {"renameByDefault", "failRequestsGreaterThanOne", "resources"}
_REPLICATED = {"name", "rename", "devices", "replicas"}


def advertise(labels: Mapping[str, str], machine: Machine, files: Files) -> dict[str, str]:
    """Counts by extended resource. Raises TesseraError for a file or a label with which the plugin would not start."""
    if labels.get(RUNS_PLUGIN) == "false":
        return {}
    config = _read(files.plugin, labels.get(PLUGIN_CONFIG) or files.default)
    name = labels.get(MIG_CONFIG, UNCUT)
    cuts = cut(files.parted, name, machine) if files.parted else uncut(machine)
    if not files.parted and name != UNCUT:
        raise _error(f"label {MIG_CONFIG}={name}: no configuration of mig-parted is there")
    scheme, shared = _sharing(config)
    counts = _devices(cuts, machine, _strategy(config, scheme), scheme)
    return {name: str(count) for name, count in sorted(_multiplied(counts, shared).items())}


def _read(data: Mapping[str, str], key: str) -> Mapping[str, Any]:
    if key not in data:
        raise _error(f"specified config {key} does not exist; there are {', '.join(data)}")
    config = yaml.safe_load(data[key]) or {}
    if config.get("version", "v1") != "v1":
        raise _error(f"{key}: unknown version: {config['version']}")
    _known(key, config, _TOP)
    _known(f"{key}.flags", config.get("flags") or {}, _FLAGS)
    _known(f"{key}.sharing", config.get("sharing") or {}, {"timeSlicing", "mps"})
    for scheme, shared in (config.get("sharing") or {}).items():
        _check(f"{key}.sharing.{scheme}", shared)
    return dict(config)


def _check(where: str, shared: Mapping[str, Any]) -> None:
    _known(where, shared, _SHARED)
    if not shared.get("resources"):
        raise _error(f"{where}: no resources specified")
    for row in shared["resources"]:
        _known(f"{where}.resources", row, _REPLICATED)
        if "name" not in row:
            raise _error(f"{where}: no resource name specified")
        if "replicas" not in row:
            raise _error(f"{where}: no replicas specified")
        if type(row["replicas"]) is not int or row["replicas"] < 2:
            raise _error(f"{where}: number of replicas must be >= 2")


def _known(where: str, found: Mapping[str, Any], allowed: set[str]) -> None:
    for key in found:
        if key not in allowed:
            raise _error(f"{where}: unknown field {key!r}; the plugin would pass over it; allowed: {_list(allowed)}")


def _sharing(config: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The scheme that is at work: MPS where it is written at all."""
    found = config.get("sharing") or {}
    scheme = "mps" if "mps" in found else "timeSlicing" if found else ""
    return scheme, found.get(scheme, {})


def _strategy(config: Mapping[str, Any], scheme: str) -> str:
    found = str((config.get("flags") or {}).get("migStrategy", "none"))
    if found not in ("none", "single", "mixed"):
        raise _error(f"unknown MIG strategy: {found}")
    if scheme == "mps" and found == "mixed":
        raise _error("using --mig-strategy=mixed is not supported with MPS")
    return found


def _devices(cuts: Cuts, machine: Machine, strategy: str, scheme: str) -> Counter[str]:
    """Devices by resource before any of them is shared out."""
    if strategy == "none":
        return Counter({GPU: len(cuts)})
    found = Counter[str]()
    for part in cuts:
        if part is None:
            found[GPU] += 1
            continue
        if scheme == "mps":
            raise _error("sharing using MPS is not supported for MIG devices")
        found.update({profile(machine.gpu, name).resource: count for name, count in part.items()})
    return _alike(found, cuts) if strategy == "single" else found


def _alike(found: Counter[str], cuts: Cuts) -> Counter[str]:
    """What strategy single makes of it: devices of one kind, counted as if they were GPUs."""
    if None in cuts and any(part is not None for part in cuts):
        raise _error("all devices on the node must be configured with the same migEnabled value")
    if any(part == {} for part in cuts):
        raise _error("at least one device with migEnabled=true was not configured correctly")
    if len(found) > 1:
        raise _error("more than one MIG device type present on node")
    return Counter({GPU: found.total()})


def _multiplied(counts: Mapping[str, int], shared: Mapping[str, Any]) -> dict[str, int]:
    replicas = {str(row["name"]): int(row["replicas"]) for row in shared.get("resources", ())}
    renamed = bool(shared.get("renameByDefault"))
    found = {}
    for name, count in counts.items():
        found[f"{name}.shared" if renamed and name in replicas else name] = count * replicas.get(name, 1)
        if renamed and name in replicas:
            found[name] = 0
    return found


def _list(words: set[str]) -> str:
    return ", ".join(sorted(words))


def _error(said: str) -> TesseraError:
    return TesseraError(f"device plugin: {said}")
