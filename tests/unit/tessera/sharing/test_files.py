"""The generated files, and the labels that select them."""

import yaml

from tessera.sharing.files import files
from tessera.sharing.labels import labels
from tessera.sharing.way import Part
from tests.unit.tessera.sharing.made import article, pool

POOLS = [
    article(),
    pool("claims", "hgx-h100"),
    pool("cut", "hgx-h100", "mig", profiles={"3g.40gb": 1, "1g.10gb": 4}),
    pool("cut-too", "hgx-h100", "mig", profiles={"3g.40gb": 1, "1g.10gb": 4}),
    pool("on-demand", "pcie-rtx-pro-6000", "dynamic-mig"),
    pool("processes", "pcie-l40s", "mps", replicas=8),
    pool("turns", "g6e.12xlarge", "time-slicing", replicas=4),
    pool("whole", "hgx-h200", "none"),
]


def test_the_files_and_labels_are_the_golden_ones(golden):
    made = files(POOLS)
    found = {
        "default": made.default,
        "device plugin": {key: text.splitlines() for key, text in made.plugin.items()},
        "mig-parted": made.parted.splitlines(),
        "labels": {one.name: labels(one) for one in POOLS},
    }
    golden("files", found)


def test_pools_that_are_shared_alike_share_a_configuration():
    first, second = labels(POOLS[2]), labels(POOLS[3])
    assert first["nvidia.com/mig.config"] == second["nvidia.com/mig.config"]
    assert len(yaml.safe_load(files(POOLS).parted)["mig-configs"]) == 3


def test_a_changed_way_has_another_label_so_that_the_plugin_reads_it():
    one, other = (pool("p", "pcie-l40s", "time-slicing", replicas=count) for count in (2, 3))
    assert labels(one)["nvidia.com/device-plugin.config"] != labels(other)["nvidia.com/device-plugin.config"]


def test_another_order_of_the_same_words_changes_no_label():
    row, other = Part((0,), {"1g.10gb": 2, "3g.40gb": 1}), Part((2, 1), {"2g.20gb": 1})
    turned = Part((0,), {"3g.40gb": 1, "1g.10gb": 2}), Part((1, 2), {"2g.20gb": 1})
    one = pool("p", "hgx-h100", "mig", layout=(row, other), slices={"3g.40gb": 2, "1g.10gb": 3})
    same = pool("p", "hgx-h100", "mig", layout=turned[::-1], slices={"1g.10gb": 3, "3g.40gb": 2})
    assert labels(one) == labels(same)


def test_every_node_has_one_allocator():
    for one in POOLS:
        found = labels(one)
        by_claims = found["tessera.dev/allocator"] == "claims"
        assert by_claims == (found.get("nvidia.com/gpu.deploy.device-plugin") == "false")
        assert by_claims != ("nvidia.com/device-plugin.config" in found)


def test_no_pool_that_is_cut_ahead_needs_no_file_of_layouts():
    assert files([pool("a", "hgx-h100"), pool("b", "pcie-l40s", "none")]).parted == ""


def test_a_gpu_that_was_cut_is_made_whole_by_its_label():
    assert labels(pool("a", "hgx-h100", "none"))["nvidia.com/mig.config"] == "all-disabled"
    assert "nvidia.com/mig.config" not in labels(pool("a", "pcie-l40s", "none"))
    assert "nvidia.com/mig.config" not in labels(pool("a", "hgx-h100", "dynamic-mig"))
