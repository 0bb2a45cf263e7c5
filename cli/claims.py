"""`tessera claims`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import Json, emit

if TYPE_CHECKING:
    from lab.client import Client


def claims(
    lab: Annotated[str, typer.Option(help="Name of a lab.")] = "lab",
    kubeconfig: Annotated[Path | None, typer.Option(help="Kubeconfig of any cluster, instead of a lab.")] = None,
    json: Json = False,
) -> None:
    """Show which pod got which device, of which class, and why this device."""
    from cli.cluster import reach
    from lab.client import RESOURCE_API
    from tessera.dra.allocations import allocations

    what = f"cluster of {kubeconfig}" if kubeconfig else f"lab {lab}"
    with reach(what):
        client = _client(lab, kubeconfig)
        found = allocations(
            client.items(f"{RESOURCE_API}/resourceclaims"),
            client.items("/api/v1/pods"),
            client.items(f"{RESOURCE_API}/resourceslices"),
            client.items(f"{RESOURCE_API}/deviceclasses"),
        )
    rows = [{**asdict(row), "class": row.device_class} for row in found]
    for row in rows:
        del row["device_class"]
    emit(rows, ("pod", "node", "device", "class", "why"), json, "no claims")


def _client(lab: str, kubeconfig: Path | None) -> Client:
    from lab.client import Client
    from lab.home import lab_home
    from lab.record import load
    from tessera.errors import TesseraError

    if kubeconfig is None:
        home = lab_home(lab)
        load(home)
        return Client.of(home, "admin")
    try:
        return Client(kubeconfig.read_text(encoding="utf-8"))
    except OSError as error:
        raise TesseraError(f"kubeconfig {kubeconfig}: {error.strerror}") from error
