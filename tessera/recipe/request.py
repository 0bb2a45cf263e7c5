"""What a stack asks of the recipe, in plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tessera.recipe import paths
from tessera.recipe.layers import LayerFile


@dataclass(frozen=True)
class PoolRequest:
    """One pool. size: count of nodes; stated: the criteria that the user stated rather than defaulted.

    A derived criterion counts as stated where what it derives from was: an instance's accelerator.
    machine: the instance type or board; no layer reads it, and the hands need it.
    """

    name: str
    size: int
    criteria: Mapping[str, str]
    stated: frozenset[str] = frozenset()
    machine: str | None = None


@dataclass(frozen=True)
class RecipeRequest:
    """One stack. overrides: by component, its chart's values, as the last layer.

    lines: by path below overrides (component, key, ...), the line in file; a missing one has its parent's.
    components: layers that say what runs on the cluster instead of Tessera's own, of an imported recipe.
    sharing: the layer that the stack's pools make, where they have GPUs.
    off: components that don't run, with their lines.
    """

    criteria: Mapping[str, str]
    pools: tuple[PoolRequest, ...] = ()
    stated: frozenset[str] = frozenset()
    overrides: Mapping[str, Any] = field(default_factory=dict)
    file: str = "the stack file"
    lines: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    components: tuple[LayerFile, ...] = ()
    sharing: LayerFile | None = None
    off: Mapping[str, int] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """All of it as JSON would hold it: two requests with one document have one answer."""
        pools = sorted(
            (pool.name, pool.size, dict(pool.criteria), sorted(pool.stated), pool.machine) for pool in self.pools
        )
        return {
            "criteria": dict(self.criteria),
            "stated": sorted(self.stated),
            "pools": pools,
            "overrides": dict(self.overrides),
            "components": [layer.digest for layer in self.components],
            "off": dict(self.off),
            "sharing": self.sharing.digest if self.sharing else None,
            "file": self.file,
            "lines": {paths.text(path): line for path, line in self.lines.items()},
        }
