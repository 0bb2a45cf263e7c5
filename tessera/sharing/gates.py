"""Feature gates of the DRA driver: they hold for all nodes of a cluster, and some exclude each other.

Facts: kubernetes-sigs/dra-driver-nvidia-gpu 0.4 and 0.5, pkg/featuregates and its documentation.
"""

from __future__ import annotations

from collections.abc import Mapping

from tessera import naming

DYNAMIC_MIG_GATE = "DynamicMIG"

GATES = (
    "ComputeDomainCliques",
    "ConsumableShares",
    "CrashOnNVLinkFabricErrors",
    "DRAListTypeAttributes",
    "DeviceMetadata",
    DYNAMIC_MIG_GATE,
    "FabricManagerPartitioning",
    "HostManagedIMEXDaemon",
    "IMEXDaemonsWithDNSNames",
    "MPSSupport",
    "NVMLDeviceHealthCheck",
    "PassthroughSupport",
    "TimeSlicingSettings",
)

EXCLUSIVE = (
    (DYNAMIC_MIG_GATE, "MPSSupport"),
    (DYNAMIC_MIG_GATE, "NVMLDeviceHealthCheck"),
    (DYNAMIC_MIG_GATE, "PassthroughSupport"),
    ("NVMLDeviceHealthCheck", "PassthroughSupport"),
)
"""Pairs that the driver's plugin refuses at its start."""

NEEDS = (("ComputeDomainCliques", "IMEXDaemonsWithDNSNames"), ("DeviceMetadata", "PassthroughSupport"))
"""A gate, and the one without which the plugin refuses it; IMEXDaemonsWithDNSNames is on by itself."""

_ON = ("IMEXDaemonsWithDNSNames",)


def gate_problems(asked: Mapping[str, str]) -> list[str]:
    """What is wrong with gates that are to be on. asked: who asks for each, by gate."""
    problems = [
        f"{who}: {naming.unknown('feature gate', gate, GATES)}" for gate, who in asked.items() if gate not in GATES
    ]
    problems += [
        f"{asked[first]} needs the DRA driver's gate {first}, {asked[second]} needs {second}; they exclude each other "
        "and hold for the whole cluster; use two clusters, or one of them"
        for first, second in EXCLUSIVE
        if first in asked and second in asked
    ]
    problems += [
        f"{asked[gate]} needs the DRA driver's gate {gate}, which needs {other}; ask for that one too"
        for gate, other in NEEDS
        if gate in asked and other not in (*asked, *_ON)
    ]
    return problems
