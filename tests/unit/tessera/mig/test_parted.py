"""mig-parted's configuration, as mig-parted reads it."""

from dataclasses import replace

import pytest
import yaml

from tessera.errors import ProblemsError
from tessera.hardware import gpus
from tessera.hardware.mig import Placement
from tessera.mig.demand import Want
from tessera.mig.fleet import MigGpu, fresh
from tessera.mig.parted import parted
from tessera.mig.plan import plan

H100, RTX = gpus.gpu("h100-sxm-80"), gpus.gpu("rtx-pro-6000-se")
WANTS = [Want("1g.10gb", 20), Want("3g.40gb", 4), Want("2g.20gb", 12), Want("1g.24gb+me.all", 1), Want("1g.24gb-me", 3)]


def mixed():
    return plan([*fresh(H100, 16, per_node=4), *fresh(RTX, 2)], WANTS)


def test_the_file_is_the_golden_one(golden):
    golden("parted", parted(mixed().cuts).text().splitlines())


def test_the_file_has_what_the_format_takes_and_nothing_else():
    """Version v1 refuses unknown keys, instances where MIG is off, and MIG that is on without a list of them."""
    found = yaml.safe_load(parted(mixed().cuts).text())
    assert (list(found), found["version"]) == (["version", "mig-configs"], "v1")
    for rows in found["mig-configs"].values():
        for row in rows:
            assert set(row) - {"device-filter"} == {"devices", "mig-enabled", "mig-devices"}
            assert row["mig-enabled"] is bool(row["mig-devices"])
            assert all(type(index) is int for index in row["devices"])
            assert all(isinstance(name, str) for name in row.get("device-filter", "").split())


def test_every_gpu_of_a_node_is_in_one_entry_and_nodes_that_are_cut_alike_share_a_configuration():
    found = parted(mixed().cuts)
    assert len(set(found.nodes.values())) == len(found.configs) <= len(found.nodes)
    for node, name in found.nodes.items():
        listed = sorted(index for row in found.configs[name] for index in row["devices"])
        assert listed == [each.gpu.index for each in mixed().cuts if each.gpu.node == node]
    alike = parted(plan(fresh(H100, 16), [Want("7g.80gb", 16)]).cuts)
    assert (len(alike.configs), len(alike.nodes)) == (1, 2)


def test_a_name_that_means_another_share_elsewhere_gets_a_filter():
    (rows,) = parted(plan(fresh(RTX, 1), [Want("1g.24gb", 4)]).cuts).configs.values()
    assert rows[0]["device-filter"] == "0x2BB510DE"
    (rows,) = parted(plan(fresh(H100, 1), [Want("3g.40gb", 2)]).cuts).configs.values()
    assert "device-filter" not in rows[0]


def test_a_node_keeps_its_name_while_its_layout_stays():
    first = plan(fresh(H100, 16), [Want("7g.80gb", 9)])
    fleet = [replace(each.gpu, layout=each.layout) for each in first.cuts]
    after = plan(fleet, [Want("7g.80gb", 9), Want("1g.10gb", 1)])
    before, now = parted(first.cuts).nodes, parted(after.cuts).nodes
    assert [before[node] == now[node] for node in before] == [True, False]


def test_a_gpu_in_use_that_changes_is_refused():
    fleet = [MigGpu("a", 0, H100, (Placement(4, "3g.40gb"),), in_use=True)]
    found = plan(fleet, [Want("3g.40gb", 1), Want("2g.20gb", 1)], beside=True)
    with pytest.raises(ProblemsError, match=r"GPU a/0: has instances in use .* mig-parted would wipe them all"):
        parted(found.cuts)
