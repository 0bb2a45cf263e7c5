"""Labels of a pool's nodes: who hands out their GPUs, and which of the generated configurations is theirs."""

from __future__ import annotations

import re

from tessera.sharing.files import parted_name
from tessera.sharing.plugin import plugin_key
from tessera.sharing.pool import SharedPool

POOL, ALLOCATOR = "tessera.dev/pool", "tessera.dev/allocator"
PLUGIN_CONFIG, MIG_CONFIG = "nvidia.com/device-plugin.config", "nvidia.com/mig.config"
RUNS_PLUGIN, RUNS_MIG_MANAGER = "nvidia.com/gpu.deploy.device-plugin", "nvidia.com/gpu.deploy.mig-manager"
CLIENT = "nvidia.com/gpu.deploy.client"
"""The operator puts it on every GPU node, and takes it away while a driver or a MIG layout changes."""

OWNED = re.compile(r"tessera\.dev/.*|nvidia\.com/(gpu\.deploy\..*|mig\.config.*|device-plugin\.config|gpu\.clique)")
"""Keys that say who hands out a node's GPUs, and how; nobody else sets them."""


def labels(pool: SharedPool) -> dict[str, str]:
    """The labels by key. The operator leaves switches alone that are there before it."""
    found = {POOL: pool.name, ALLOCATOR: pool.way.allocator}
    if pool.way.allocator == "claims":
        found[RUNS_PLUGIN] = "false"
    else:
        found[PLUGIN_CONFIG] = plugin_key(pool)
    if pool.way.kind == "dynamic-mig":
        found[RUNS_MIG_MANAGER] = "false"
    if pool.mig_manager:
        found[MIG_CONFIG] = parted_name(pool)
    return found
