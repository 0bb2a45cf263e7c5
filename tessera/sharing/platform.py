"""Chart values for a cluster's pools: what GPU Operator and DRA driver must be told, and pools that exclude each other.

Both charts speak for all nodes at once. What differs by pool they read from labels (tessera.sharing.labels) and from
the files (tessera.sharing.files) that stand in these values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tessera.errors import ProblemsError
from tessera.sharing.files import UNCUT, Files, files
from tessera.sharing.gates import DYNAMIC_MIG_GATE, gate_problems
from tessera.sharing.labels import ALLOCATOR, CLIENT
from tessera.sharing.pool import SharedPool
from tessera.sharing.refusals import problems
from tessera.sharing.together import listed, together

OPERATOR, DRIVER = "gpu-operator", "dra-driver-nvidia-gpu"

BECAUSE: Mapping[str, str] = {
    f"{OPERATOR}.devicePlugin.enabled": (
        "Only where a pool is served by it; beside the DRA driver on one node it would give GPUs away twice."
    ),
    f"{OPERATOR}.devicePlugin.config": "How GPUs are shared differs by pool; a node's label selects its key.",
    f"{OPERATOR}.mig.strategy": (
        "mixed where a pool is cut ahead: it holds for all nodes, before what their configurations say; "
        "none else, for the default calls a GPU invalid that claims have cut."
    ),
    f"{OPERATOR}.migManager.enabled": "It cuts GPUs ahead and makes cut ones whole; where claims cut them it must not.",
    f"{OPERATOR}.migManager.config": "The layouts of the pools; a node's label selects its own.",
    f"{DRIVER}.resources.gpus.enabled": "Only where a pool is had through claims.",
    f"{DRIVER}.gpuResourcesEnabledOverride": (
        "The chart refuses GPUs without it, lest a device plugin give them away too; labels keep the two apart."
    ),
    f"{DRIVER}.resources.computeDomains.enabled": "Only machines of one NVLink domain can share memory over it.",
    f"{DRIVER}.featureGates": "MIG devices are cut when a claim gets them; the gate is off by default.",
    f"{DRIVER}.kubeletPlugin.nodeSelector": (
        "On nodes that claims serve, and away while the operator changes a driver or a MIG layout."
    ),
}
"""Why each value, or all below it, is pinned; by component and path."""


def platform_values(pools: Iterable[SharedPool], gates: Mapping[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """Values by component; a component that no pool needs is absent.

    gates: feature gates of the DRA driver that others ask for, with who asks.
    Raises ProblemsError that names every pool that can't be shared so, and all that can't be in one cluster.
    """
    rows = list(pools)
    asked = _gates(rows, gates or {})
    refused = [*_alone(rows), *_together(rows), *gate_problems(asked)]
    if refused:
        raise ProblemsError(refused)
    driver = _driver(rows, asked)
    return {OPERATOR: _operator(rows, files(rows))} | ({DRIVER: driver} if driver else {}) if rows else {}


def remarks(pools: Iterable[SharedPool]) -> tuple[str, ...]:
    """What a pool's words do not show, as other pools bring it about."""
    rows = list(pools)
    cutting = [pool.name for pool in rows if pool.way.kind == "dynamic-mig"]
    claims, plugin = (_names(rows, word) for word in ("claims", "device-plugin"))
    found = [
        f"pool {pool.name}: its GPUs are offered as MIG devices too; the DRA driver's gate {DYNAMIC_MIG_GATE}, on for "
        f"{listed(cutting)}, holds for all nodes"
        for pool in rows
        if cutting and pool.way.kind == "dra" and pool.cut_by_gate
    ]
    if claims and plugin:
        found.append(
            f"pools {listed(claims)}: the operator's validator waits for counted GPUs on every node once the device "
            f"plugin is on (for {listed(plugin)}), so its pod does not become ready there, nor the ClusterPolicy"
        )
    return tuple(found)


def _alone(pools: Sequence[SharedPool]) -> list[str]:
    return [f"pool {pool.name}: {said}" for pool in pools for _, said in problems(pool.machine, pool.way)]


def _together(pools: Sequence[SharedPool]) -> list[str]:
    return [f"pool {pools[at].name}: {said}" for at, said in together(pools)]


def _gates(pools: Sequence[SharedPool], asked: Mapping[str, str]) -> dict[str, str]:
    cutting = [pool.name for pool in pools if pool.way.kind == "dynamic-mig"]
    own = {DYNAMIC_MIG_GATE: f"pool {listed(cutting)}"} if cutting else {}
    return {**asked, **own}


def _operator(pools: Sequence[SharedPool], made: Files) -> dict[str, Any]:
    served = bool(_names(pools, "device-plugin"))
    plugin: dict[str, Any] = {"enabled": served}
    if served:
        plugin["config"] = _config("tessera-device-plugin", made.default, made.plugin)
    manager: dict[str, Any] = {"enabled": any(pool.mig_manager for pool in pools)}
    if made.parted:
        manager["config"] = _config("tessera-mig-parted", UNCUT, {"config.yaml": made.parted})
    return {"devicePlugin": plugin, "mig": {"strategy": _strategy(pools)}, "migManager": manager}


def _strategy(pools: Sequence[SharedPool]) -> str:
    return "mixed" if any(pool.way.kind == "mig" for pool in pools) else "none"


def _config(name: str, default: str, data: Mapping[str, str]) -> dict[str, Any]:
    return {"create": True, "name": name, "default": default, "data": dict(data)}


def _driver(pools: Sequence[SharedPool], gates: Mapping[str, str]) -> dict[str, Any]:
    claims, trays = bool(_names(pools, "claims")), any(pool.trays for pool in pools)
    if not claims and not trays:
        return {}
    selector = {CLIENT: "true"} | ({ALLOCATOR: "claims"} if claims else {})
    return {
        "resources": {"gpus": {"enabled": claims}, "computeDomains": {"enabled": trays}},
        "gpuResourcesEnabledOverride": claims,
        "kubeletPlugin": {"nodeSelector": selector},
        **({"featureGates": dict.fromkeys(sorted(gates), True)} if gates else {}),
    }


def _names(pools: Sequence[SharedPool], allocator: str) -> list[str]:
    return [pool.name for pool in pools if pool.way.allocator == allocator]
