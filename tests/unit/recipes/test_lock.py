"""The lock of an example stack against layers that changed under it, as a new checkout of Tessera changes them."""

import shutil

import pytest

from cli.checkout import CHECKOUT
from tessera.data import RECIPES
from tessera.recipe import layers, lock
from tessera.recipe.of_stack import request
from tessera.recipe.resolve import resolve
from tessera.spec.stack import read_file


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(RECIPES / "layers", tmp_path / "layers")


def changes(folder, name):
    agreed = lock.read((CHECKOUT / "stacks" / f"{name}.lock.json").read_text(), name)
    asked = request(read_file(CHECKOUT / "stacks" / f"Pulumi.{name}.yaml"))
    return [change.text for change in lock.changes(agreed, resolve(asked, layers.read(folder)))]


def replace(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_unchanged_layers_change_nothing(folder):
    assert changes(folder, "metal-b200") == []


def test_another_driver_is_told_with_pool_and_count_of_nodes(folder):
    replace(folder / "base" / "gpu.yaml", "580.173.02", "580.999.01")
    assert changes(folder, "metal-b200") == ["on 2 nodes of pool b200: driver 580.173.02 -> 580.999.01"]


def test_reworded_reason_is_no_change(folder):
    replace(folder / "base" / "gpu.yaml", "because:", "because: In other words,")
    assert changes(folder, "metal-b200") == []


def test_layer_of_another_accelerator_changes_nothing(folder):
    (folder / "accelerator" / "h200-sxm-141.yaml").unlink()
    assert changes(folder, "metal-b200") == []
