"""`tessera lab up`."""

from __future__ import annotations

import re
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import Json, emit_object, progress

if TYPE_CHECKING:
    from collections.abc import Iterator

Pools = Annotated[
    list[str] | None,
    typer.Option(
        "--pool",
        help="Simulated nodes, as NAME=BOARD:COUNT or NAME=BOARD:COUNT:SHARING, for example h100=hgx-h100:2 or "
        "rtx=pcie-rtx-pro-6000:1:dynamic-mig. SHARING is dra (without it), dynamic-mig or none.",
    ),
]
WORDS = ("dra", "dynamic-mig", "none")
"""Ways to share that need no settings; a stack file has them all."""


def up(
    name: Annotated[str, typer.Argument(help="Name of the lab.")] = "lab",
    pool: Pools = None,
    kubernetes: Annotated[str | None, typer.Option(help="Minor version of Kubernetes; 1.36 for a new lab.")] = None,
    json: Json = False,
) -> None:
    """Start a lab, repair it, or change its nodes; what is not given stays as it is."""
    from lab import lifecycle, processes
    from lab.home import lab_home
    from lab.record import LabSpec, load

    home = lab_home(name)
    old = load(home).spec if home.exists() else None
    pools = tuple(_pool(text) for text in pool or ()) if pool or not old else old.pools
    version = kubernetes or (old.kubernetes if old else "1.36")
    if not old and not pool:
        pools = (_pool("h100=hgx-h100:2"),)
    with _interruptible() as cancelled:
        made = lifecycle.up(LabSpec(name, version, pools), lifecycle.Control(progress(), cancelled.is_set))
    memory = sum(part.rss_mib for part in processes.find(home).values())
    result: dict[str, Any] = {
        "lab": name,
        "seconds": round(made.seconds, 1),
        "memory_mib": round(memory),
        "nodes": sum(pool.size for pool in pools),
        "started": ", ".join(made.started) or "nothing; all was running",
        "kubeconfig": str(home.kubeconfig),
    }
    emit_object(result, json)


def _pool(text: str) -> Any:
    from lab.record import NodePool

    match = re.fullmatch(r"(?P<name>[^=]+)=(?P<board>[^:]+):(?P<size>[0-9]+)(:(?P<sharing>[^:]+))?", text)
    if not match:
        said = f"{text!r}: write NAME=BOARD:COUNT or NAME=BOARD:COUNT:SHARING, for example h100=hgx-h100:2"
        raise typer.BadParameter(said, param_hint="--pool")
    sharing = match["sharing"] or "dra"
    if sharing not in WORDS:
        said = f"{text!r}: found sharing {sharing!r}, allowed here: {', '.join(WORDS)}; a stack file takes the others"
        raise typer.BadParameter(said, param_hint="--pool")
    return NodePool(match["name"], match["board"], int(match["size"]), sharing)


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """The first Ctrl-C asks for an orderly end, which the caller then reports."""
    cancelled = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: cancelled.set())
    try:
        yield cancelled
    finally:
        signal.signal(signal.SIGINT, before)
        if cancelled.is_set():
            raise KeyboardInterrupt
