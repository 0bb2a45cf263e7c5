"""Pools that can't be in one cluster, for a chart speaks for all of its nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tessera.sharing.pool import SharedPool


def together(pools: Sequence[SharedPool]) -> Iterator[tuple[int, str]]:
    """What is wrong with a pool beside the others, with its place among them."""
    claims = [pool.name for pool in pools if pool.way.allocator == "claims"]
    cut = [pool.name for pool in pools if pool.way.kind == "mig"]
    why = "the DRA driver takes GPUs and domains of a node together, so it would have no compute domains"
    for at, pool in enumerate(pools):
        if claims and pool.trays and pool.way.allocator == "device-plugin":
            said = f"its machines join NVLink domains, and {listed(claims)} has GPUs through claims: {why}"
            yield at, f"found {pool.way.kind}; {said}; allowed: dra; or no pool with claims"
        if cut and pool.way.kind == "mps":
            said = f"{listed(cut)} needs the MIG strategy mixed, which holds for all nodes; MPS does not start under it"
            yield at, f"found mps; {said}; allowed: time-slicing, none, dra, dynamic-mig; or no pool with mig"


def listed(names: Sequence[str]) -> str:
    """Names of pools in a sentence."""
    return " and ".join(", ".join(names).rsplit(", ", 1))
