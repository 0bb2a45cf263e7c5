"""Recipes of what the layers offer: too many combinations to resolve each, so one for every service and GPU.

The other criteria take turns: each gets the value that a service had least often, and of these the one that was least
often beside what is chosen already. So every value comes up on every service that has as many GPUs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations

from tessera.errors import TesseraError
from tessera.hardware import boards, instances
from tessera.hardware.machines import machine
from tessera.recipe.layers import LayerFile
from tessera.recipe.matrix import Offer, matrix
from tessera.recipe.request import PoolRequest, RecipeRequest
from tessera.recipe.resolve import resolve
from tessera.recipe.resolved import ResolvedRecipe

_POOL = ("os", "sharing")
_FREE = (*_POOL, "intent", "framework", "kubernetes")

type _Said = tuple[str, str]
"""A criterion and its value."""


def recipes(layers: Sequence[LayerFile]) -> Iterator[ResolvedRecipe]:
    """One for every service and GPU; a minor of Kubernetes on which a constraint refuses it gives way to the others.

    Raises TesseraError where it is refused on all of them, with what is said of the last.
    """
    used: Counter[frozenset[_Said]] = Counter()
    for offer in matrix(layers):
        chosen = _chosen(offer, used)
        used.update(map(frozenset, combinations(chosen.items(), 2)))
        others = [minor for minor in offer.kubernetes if minor != chosen.get("kubernetes")]
        asked = [_request(offer, chosen), *(_request(offer, {**chosen, "kubernetes": minor}) for minor in others)]
        yield _first(asked, layers)


def _chosen(offer: Offer, used: Mapping[frozenset[_Said], int]) -> dict[str, str]:
    said = {"service": offer.service}
    for name in _FREE:
        counted = [
            ([used[frozenset((one, (name, value)))] for one in said.items()], value) for value in getattr(offer, name)
        ]
        if counted:
            said[name] = min(counted, key=lambda row: (row[0][0], sum(row[0])))[1]
    return said


def _first(asked: Sequence[RecipeRequest], layers: Sequence[LayerFile]) -> ResolvedRecipe:
    for one in asked[:-1]:
        with suppress(TesseraError):
            return resolve(one, layers)
    return resolve(asked[-1], layers)


def _request(offer: Offer, chosen: Mapping[str, str]) -> RecipeRequest:
    """None of its criteria counts as stated."""
    names = instances.names() if offer.service == "eks" else boards.names()
    found = next(one for one in map(machine, names) if one.gpu.key == offer.gpu)
    pool = {"accelerator": offer.accelerator, "gpu": offer.gpu, "architecture": found.architecture}
    pool |= {name: value for name, value in chosen.items() if name in _POOL}
    cluster = {name: value for name, value in chosen.items() if name not in _POOL}
    return RecipeRequest(cluster, (PoolRequest("pool", 1, pool),))
