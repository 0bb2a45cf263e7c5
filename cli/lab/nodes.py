"""`tessera lab nodes`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.output import Json, emit


def nodes(name: Annotated[str, typer.Argument(help="Name of the lab.")] = "lab", json: Json = False) -> None:
    """Show the simulated nodes, as the API server has them, their GPUs, and how many devices of these are allocated."""
    from collections import Counter

    from cli.cluster import reach
    from lab.client import RESOURCE_API
    from lab.home import lab_home
    from lab.labels import POOL_LABEL
    from lab.record import load
    from tessera.dra.selectors import DRIVER

    home = lab_home(name)
    load(home)
    with reach(f"lab {name}"):
        client = _client(home)
        found = client.items("/api/v1/nodes", labelSelector=POOL_LABEL)
        slices = client.items(f"{RESOURCE_API}/resourceslices")
        claims = client.items(f"{RESOURCE_API}/resourceclaims")
    devices = Counter[str]()
    for row in slices:
        if row["spec"]["driver"] == DRIVER:
            devices[row["spec"].get("nodeName", "")] += len(row["spec"].get("devices", []))
    used = Counter(
        result["pool"]
        for claim in claims
        for result in claim.get("status", {}).get("allocation", {}).get("devices", {}).get("results", [])
        if result["driver"] == DRIVER
    )
    rows = [_row(node, devices, used) for node in found]
    emit(rows, ("node", "pool", "board", "product", "gpus", "devices", "allocated", "ready"), json, "no nodes")


def _client(home: Any) -> Any:
    from lab.client import Client

    return Client.of(home, "admin")


def _row(node: dict[str, Any], devices: Any, used: Any) -> dict[str, Any]:
    from lab.labels import POOL_LABEL

    name, labels = node["metadata"]["name"], node["metadata"]["labels"]
    conditions = node.get("status", {}).get("conditions", [])
    return {
        "node": name,
        "pool": labels[POOL_LABEL],
        "board": labels["node.kubernetes.io/instance-type"],
        "product": labels["nvidia.com/gpu.product"],
        "gpus": int(labels["nvidia.com/gpu.count"]),
        "devices": devices[name],
        "allocated": used[name],
        "ready": any(row["type"] == "Ready" and row["status"] == "True" for row in conditions),
    }
