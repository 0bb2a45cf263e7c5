"""The door: `python -m tests.bench lab|scheduling|saturation|all|page`.

JSON on standard output, progress on standard error; page writes Markdown.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench import page, saturation, scheduling, startup
from tests.bench.arms import ARMS
from tests.bench.machine import machine

SEEDS = 10


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    doors = parser.add_subparsers(dest="bench", required=True)
    lab = doors.add_parser("lab", help="what a user waits for")
    lab.add_argument("--runs", type=int, default=3)
    _scheduling(doors.add_parser("scheduling", help="how fast pods with claims are placed"))
    _saturation(doors.add_parser("saturation", help="how full GPUs get, by the way they are shared"))
    doors.add_parser("all", help="all three, as large as the documentation says")
    shown = doors.add_parser("page", help="tables in Markdown from results")
    shown.add_argument("results", type=Path, nargs="+")
    said = parser.parse_args()
    if said.bench == "page":
        print(page.page([json.loads(path.read_text(encoding="utf-8")) for path in said.results]))
        return
    benches = _BENCHES if said.bench == "all" else {said.bench: _BENCHES[said.bench]}
    if said.bench == "all":
        said = parser.parse_args(["lab"], parser.parse_args(["scheduling"], parser.parse_args(["saturation"])))
    found = {name: bench(said) for name, bench in benches.items()}
    print(json.dumps({"machine": machine(), **found}, indent=2))


def _scheduling(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--nodes", type=int, default=500)
    parser.add_argument("--loads", type=int, nargs="+", default=[1000, 2000, 4000], help="pods, each on an empty lab")
    parser.add_argument(
        "--arms", nargs="+", choices=list(ARMS), default=list(ARMS)[:2], metavar="ARM", help=f"of {', '.join(ARMS)}"
    )
    parser.add_argument("--arrivals", nargs="+", choices=("burst", "steady"), default=["burst", "steady"])
    parser.add_argument("--rate", type=float, default=15, help="pods a second of steady arrivals")


def _saturation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size", type=int, default=60, help="nodes")
    parser.add_argument("--board", choices=("pcie-h100-nvl", "hgx-h100"), default="pcie-h100-nvl", help="of each node")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--demand", type=int, nargs="+", default=[70, 90, 110], help="percent of all GPUs")


_BENCHES: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "lab": lambda said: startup.run(said.runs),
    "scheduling": lambda said: scheduling.run(said.arms, said.nodes, said.loads, said.arrivals, said.rate),
    "saturation": lambda said: saturation.run(said.size, range(said.seeds), said.demand, kind=said.board),
}


if __name__ == "__main__":
    main()
