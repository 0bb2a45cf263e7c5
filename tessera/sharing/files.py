"""The files from which the device plugin and the MIG manager learn how each node is shared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tessera.hardware.mig import place
from tessera.mig.cut import Cut
from tessera.mig.fleet import MigGpu
from tessera.mig.parted import Parted, parted
from tessera.sharing.plugin import WHOLE, plugin_key, plugin_text
from tessera.sharing.pool import SharedPool

UNCUT = "all-disabled"
"""mig-parted's own name for GPUs that are whole; the MIG manager falls back to it."""

_UNCUT: Sequence[Mapping[str, Any]] = ({"devices": "all", "mig-enabled": False, "mig-devices": {}},)


@dataclass(frozen=True)
class Files:
    """plugin: the device plugin's configurations by key; default: the key of a node without a label.

    parted: mig-parted's configuration; empty where no pool is cut ahead.
    """

    plugin: Mapping[str, str]
    default: str
    parted: str


def files(pools: Iterable[SharedPool]) -> Files:
    """The files of a cluster, each configuration once. Raises ProblemsError where a layout fits in no way."""
    rows = list(pools)
    served = [pool for pool in rows if pool.way.allocator == "device-plugin"]
    whole = {WHOLE: "version: v1\nflags:\n  migStrategy: none\n"}
    plugin = {plugin_key(pool): plugin_text(pool) for pool in served}
    cut = _parted(rows)
    found = Parted({UNCUT: _UNCUT, **cut.configs}, {f"pool {name}": key for name, key in cut.nodes.items()})
    return Files(whole | plugin, WHOLE, found.text() if cut.nodes else "")


def parted_name(pool: SharedPool) -> str:
    """The name of mig-parted's configuration for a pool."""
    return _parted([pool]).nodes.get(pool.name, UNCUT)


def _parted(pools: Iterable[SharedPool]) -> Parted:
    return parted(cut for pool in pools if pool.way.kind == "mig" for cut in _cuts(pool))


def _cuts(pool: SharedPool) -> Iterable[Cut]:
    gpu = pool.machine.gpu
    for index, part in enumerate(pool.way.by_gpu(pool.machine.count)):
        yield Cut(MigGpu(pool.name, index, gpu, whole=not part), place(gpu, part) if part else ())
