"""Fit: which pools serve a class, how many devices, and the nearest miss where none does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.classes import names, service_class
from tessera.dra.fit import Pool, devices, fit, problem
from tessera.dra.requirements import Requirement
from tessera.dra.slices import SHARINGS
from tessera.hardware import machines
from tessera.hardware.machines import machine


def pool(key, sharing="dra", nodes=2, name="one"):
    return Pool(name, machine(key), nodes, sharing)


def met(name, *pools):
    return fit(service_class(name), pools)


@pytest.mark.parametrize(
    ("name", "key", "sharing", "per_node"),
    [
        pytest.param("gpu-training-single", "hgx-h100", "dra", 8, id="whole GPUs"),
        pytest.param("gpu-training-single", "g6e.12xlarge", "dra", 4, id="whole GPUs of an instance"),
        pytest.param("gpu-inference-light", "pcie-rtx-pro-6000", "dynamic-mig", 32, id="quarters"),
        pytest.param("gpu-inference-light", "hgx-h100", "dynamic-mig", 16, id="halves"),
        pytest.param("gpu-interactive-notebook", "p5.48xlarge", "dynamic-mig", 56, id="sevenths of an instance"),
        pytest.param("gpu-training-distributed", "gb200-nvl72-tray", "dra", 4, id="four of a tray"),
        pytest.param("gpu-training-distributed", "hgx-b200", "dynamic-mig", 8, id="a board that may be cut"),
        pytest.param("gpu-training-rdma", "hgx-h100", "dra", 8, id="pairs"),
        pytest.param("gpu-training-rdma", "hgx-b200", "dynamic-mig", 8, id="pairs where GPUs may be cut"),
    ],
)
def test_devices_of_a_node_at_once_and_of_the_pool(name, key, sharing, per_node):
    found = met(name, pool(key, sharing, nodes=3))
    (one,) = found.pools
    assert (found.answer, one.per_node, one.total) == ("yes", per_node, 3 * per_node)


@pytest.mark.parametrize(
    ("name", "pools", "near"),
    [
        pytest.param(
            "gpu-inference-large",
            [pool("pcie-l40s", name="l40s")],
            "l40s (NVIDIA L40S): memory 46068Mi, wanted at least 80G; ask for less",
            id="too little memory",
        ),
        pytest.param(
            "gpu-inference-light",
            [pool("pcie-l40s", name="l40s"), pool("hgx-h100", name="h100")],
            "h100 (NVIDIA H100 80GB HBM3): it shares by dra; set sharing: dynamic-mig",
            id="GPUs that could be cut",
        ),
        pytest.param(
            "gpu-inference-light",
            [pool("pcie-l40s", "dynamic-mig", name="l40s")],
            "l40s (NVIDIA L40S): a whole GPU, wanted a MIG device; l40s has no MIG; ask for less",
            id="GPUs that can't be cut",
        ),
        pytest.param(
            "gpu-training-single",
            [pool("g6e.12xlarge", "time-slicing", name="dev")],
            "dev (NVIDIA L40S): it shares by time-slicing, so the device plugin serves it, not claims; "
            "set sharing: dra",
            id="device plugin",
        ),
        pytest.param(
            "gpu-inference-large",
            [pool("g6e.12xlarge", "mps", name="dev")],
            "dev (NVIDIA L40S): it shares by mps, so the device plugin serves it, not claims; "
            "memory 46068Mi, wanted at least 80G; ask for less",
            id="device plugin, and too small",
        ),
        pytest.param(
            "gpu-inference-large",
            [pool("g6.xlarge", name="l4"), pool("pcie-l40s", name="l40s")],
            "l40s (NVIDIA L40S): memory 46068Mi, wanted at least 80G; ask for less",
            id="the one that lacks least",
        ),
        pytest.param(
            "gpu-training-rdma",
            [pool("gb200-nvl72-tray", name="tray")],
            "tray (NVIDIA GB200): no nic shares its pcie-root with a GPU; ask for less",
            id="cards under other roots",
        ),
    ],
)
def test_the_nearest_miss_is_told_with_what_would_help(name, pools, near):
    said = f"class {name}: no pool of this stack has such a device; nearest: pool {near} or add a pool"
    assert problem(service_class(name), pools) == said


def test_a_board_of_one_gpu_is_told_as_what_it_is():
    said = problem(service_class("gpu-training-distributed"), [pool("p5.4xlarge", name="small")])
    assert said == (
        "class gpu-training-distributed: no pool of this stack has such a board; nearest: pool small (NVIDIA H100 80GB "
        "HBM3): 1 at once on a node, wanted all of a board that NVLink joins; ask for less or add a pool"
    )


def test_a_stack_without_gpus_is_told():
    said = "class gpu-training-single: no pool of this stack has GPUs; add one"
    assert problem(service_class("gpu-training-single"), []) == said


@pytest.mark.parametrize(
    ("name", "key", "sharing", "why"),
    [
        pytest.param(
            "gpu-training-rdma",
            "p5.48xlarge",
            "dra",
            "which GPU and nic of p5.48xlarge share their pcie-root is unknown; a running node tells",
            id="seats of an instance",
        ),
        pytest.param("gpu-inference-large", "g7.12xlarge", "dra", "memory unknown, wanted at least 80G", id="memory"),
        pytest.param(
            "gpu-inference-light",
            "g7.12xlarge",
            "dynamic-mig",
            "MIG profiles of rtx-pro-4500-se are unknown",
            id="profiles",
        ),
    ],
)
def test_what_the_tables_do_not_know_is_unknown_and_no_refusal(name, key, sharing, why):
    found = met(name, pool(key, sharing))
    assert (found.answer, found.pools[0].why) == ("unknown", why)


def test_one_pool_that_fits_is_enough():
    found = met("gpu-inference-large", pool("pcie-l40s"), pool("hgx-h100"), pool("p5.48xlarge"))
    assert found.answer == "yes"


def test_a_pool_of_no_nodes_fits_with_nothing_to_give_yet():
    (one,) = met("gpu-training-single", pool("hgx-h100", nodes=0)).pools
    assert (one.answer, one.per_node, one.total) == ("yes", 8, 0)


def test_network_cards_are_claimed_whoever_serves_the_gpus():
    assert devices(Requirement(device="nic"), pool("hgx-h100", "none")).per_node == 8


MACHINES = st.builds(
    Pool, st.just("p"), st.sampled_from(machines.names()).map(machine), st.integers(0, 5), st.sampled_from(SHARINGS)
)


@given(st.sampled_from(names()), st.lists(MACHINES, max_size=3))
@settings(max_examples=150, deadline=None)
def test_every_class_on_every_stack_gets_an_answer_with_its_reason(name, pools):
    found = met(name, *pools)
    for one in found.pools:
        assert (one.per_node > 0) == (one.answer == "yes")
        assert bool(one.why) == (one.answer != "yes")
    refused = found.answer == "no"
    assert problem(service_class(name), pools) == (found.problem if refused else "")
    assert not refused or found.problem.startswith(f"class {name}: no pool of this stack has ")
