"""How much one plan may hold."""

import pytest

from tessera.errors import ProblemsError
from tessera.hardware import gpus
from tessera.mig.demand import Want
from tessera.mig.fleet import fresh
from tessera.mig.limits import MOST_GPUS, MOST_WANTED, too_many
from tessera.mig.plan import plan

H100 = gpus.gpu("h100-sxm-80")


def test_what_is_allowed_is_just_allowed():
    assert too_many(MOST_GPUS, MOST_WANTED) == []


def test_gpus_and_instances_beyond_it_are_told_together():
    with pytest.raises(ProblemsError) as error:
        plan(fresh(H100, MOST_GPUS + 1), [Want("1g.10gb", MOST_WANTED), Want("7g.80gb", 1)])
    assert error.value.problems == (
        "MIG plan: found 10001 GPUs, allowed: at most 10000 in one plan",
        "MIG plan: found 70001 instances, allowed: at most 70000 in one plan",
    )


def test_a_negative_count_makes_no_room_for_another():
    with pytest.raises(ProblemsError, match="found 70001 instances"):
        plan(fresh(H100, 1), [Want("1g.10gb", MOST_WANTED + 1), Want("7g.80gb", -1)])
