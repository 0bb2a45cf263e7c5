"""What docs/recipe.md shows is so: its layers are right, and one more accelerator or service is one more file."""

import re
import shutil
from pathlib import Path

import pytest
import yaml

from tessera.errors import ProblemsError
from tessera.recipe import layers
from tessera.recipe.resolve import resolve

HERE = Path(__file__).parent
PAGE = (HERE.parents[3] / "docs" / "recipe.md").read_text(encoding="utf-8")
SHOWN = {yaml.safe_load(text)["layer"]: text for text in re.findall(r"```yaml\n(format: 1\n.*?)```", PAGE, re.DOTALL)}


@pytest.mark.parametrize("name", SHOWN)
def test_a_layer_that_the_page_shows_is_right(name):
    assert layers.parse(SHOWN[name], name, name).blocks


@pytest.mark.parametrize("name", ["accelerator/h300", "service/colo"])
def test_one_file_more_is_enough(tmp_path, name, request_for, pool):
    folder = Path(shutil.copytree(HERE / "layers", tmp_path / "layers"))
    criterion, word = name.split("/")
    # h100 for what its intent layer asks; the other pool is the new one.
    of_cluster, of_pool = ({}, {criterion: word}) if criterion == "accelerator" else ({criterion: word}, {})
    asked = request_for(pool("old"), pool("new", **of_pool), **of_cluster)
    with pytest.raises(ProblemsError, match=f"no layer reads {criterion} '{word}'"):
        resolve(asked, layers.read(folder))
    (folder / f"{name}.yaml").write_text(SHOWN[name], encoding="utf-8")
    found = resolve(asked, layers.read(folder))
    assert name in {one.layer for one in found.provenance.values()}
