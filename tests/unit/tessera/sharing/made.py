"""Pools for tests of sharing."""

from tessera.hardware.machines import machine
from tessera.sharing.pool import SharedPool
from tessera.sharing.way import Part, Way

ARTICLE = Way("mig", {}, (Part((0,), {"1g.24gb": 4}), Part((1,), {})), 4, {"1g.24gb": 2})
"""GPU 0 is four slices, GPU 1 whole; four pods on the whole GPU, two on a slice."""


def pool(name, key, kind="dra", **settings):
    return SharedPool(name, machine(key), Way(kind, **settings))


def article(name="dev", key="g7e.12xlarge"):
    return SharedPool(name, machine(key), ARTICLE)
