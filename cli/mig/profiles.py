"""`tessera mig profiles`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.output import Json, emit

COLUMNS = ("profile", "compute", "memory", "MiB", "at most", "starts", "resource")


def profiles(
    gpu: Annotated[str, typer.Argument(help="A GPU of the hardware tables, such as h100-sxm-80.")],
    json: Json = False,
) -> None:
    """Show the MIG profiles of a GPU: their share, and where they may start."""
    from tessera.hardware import mig
    from tessera.hardware.gpus import gpu as gpu_of

    emit([_row(one, json) for one in mig.profiles(gpu_of(gpu))], COLUMNS, json)


def _row(one: Any, as_json: bool) -> dict[str, Any]:
    return {
        "profile": one.name,
        "compute": f"{one.compute}/{one.compute_of}",
        "memory": f"{one.memory}/{one.memory_of}",
        "MiB": "unknown" if one.memory_mib is None else one.memory_mib,
        "at most": one.limit,
        "starts": list(one.starts) if as_json else ", ".join(map(str, one.starts)),
        "resource": one.resource,
    }
