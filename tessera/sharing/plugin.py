"""The device plugin's configuration of a pool, format v1, and the key that selects it by a node label.

Facts: k8s-device-plugin, api/config/v1 and cmd/nvidia-device-plugin/main.go: the environment comes before the file, and
the operator sets MIG_STRATEGY there for all nodes; MPS refuses the strategy mixed (tessera.sharing.together).
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import yaml

from tessera.hardware.gpus import Gpu
from tessera.hardware.mig import profile
from tessera.sharing.advertised import GPU
from tessera.sharing.pool import SharedPool
from tessera.sharing.way import Way

WHOLE, MIG = "whole", "mig"
"""Keys of the configurations that share nothing: whole GPUs, and MIG devices beside whole GPUs."""

_KEYS = {"time-slicing": "timeSlicing", "mps": "mps"}
_SINGLE = "# A pod that asks for two shares of a GPU would get no more of it than with one, so it is refused.\n"


def plugin_key(pool: SharedPool) -> str:
    """The configuration's name. It follows from the content: the plugin reads anew when a node's label changes only."""
    if not pool.way.scheme:
        return MIG if pool.way.kind == "mig" else WHOLE
    content = json.dumps(plugin_config(pool), sort_keys=True)
    return f"{pool.way.scheme}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"


def plugin_text(pool: SharedPool) -> str:
    """The configuration as a file."""
    said = _SINGLE if pool.way.scheme else ""
    return said + yaml.safe_dump(plugin_config(pool), sort_keys=False)


def plugin_config(pool: SharedPool) -> dict[str, Any]:
    """The configuration as a tree."""
    strategy = "mixed" if pool.way.kind == "mig" else "none"
    tree: dict[str, Any] = {"version": "v1", "flags": {"migStrategy": strategy}}
    if pool.way.scheme:
        resources = _replicated(pool.machine.gpu, pool.way)
        tree["sharing"] = {_KEYS[pool.way.scheme]: {"failRequestsGreaterThanOne": True, "resources": resources}}
    return tree


def _replicated(gpu: Gpu, way: Way) -> list[dict[str, Any]]:
    named = {GPU: way.replicas} | {profile(gpu, name).resource: way.slices[name] for name in sorted(way.slices)}
    return [{"name": name, "replicas": count} for name, count in named.items() if count > 1]
