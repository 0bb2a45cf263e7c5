"""`tessera recipe import`."""

import json
import re
import shutil

import pytest
import yaml

from cli.checkout import CHECKOUT

SHAPES = CHECKOUT / "tests" / "unit" / "tessera" / "recipe" / "aicr" / "shapes"
NAME = "h100-eks-ubuntu-training-kubeflow.yaml"


@pytest.fixture
def result(tmp_path):
    """A RecipeResult with the values files that it names beside it."""
    shutil.copytree(SHAPES, tmp_path / "aicr")
    return tmp_path / "aicr" / NAME


def test_what_a_result_brings_is_a_table_and_what_it_does_not_is_said(tessera, result):
    code, told, _ = tessera("recipe", "import", str(result))
    assert code == 0
    head, *rows = told.splitlines()
    assert head.split() == ["component", "chart", "version", "after"]
    listed = yaml.safe_load(result.read_text())["componentRefs"]
    assert any(row.startswith("gpu-operator") for row in rows)
    assert len(rows) >= len(listed)
    assert any(row.startswith("left out: ") for row in rows)


def test_json_has_the_recipe_and_what_is_left_out(tessera, result):
    code, told, _ = tessera("recipe", "import", str(result), "--json")
    found = json.loads(told)
    assert (code, found["digest"]) == (0, None)
    assert {"place", "what", "text"} == found["leftOut"][0].keys()


STACK = """config:
  tessera:cluster: {service: eks, kubernetes: "1.36", intent: training, framework: kubeflow}
  tessera:pools: [{name: h100, instance: p5.48xlarge, os: ubuntu-24.04, size: 2, efa: true}]
  tessera:components: {from: aicr/%s}
"""


@pytest.fixture
def stack(result):
    path = result.parent.parent / "Pulumi.taken.yaml"
    path.write_text(STACK % NAME)
    return path


def test_with_a_stack_it_says_what_the_stack_resolves_to(tessera, result, stack):
    code, told, error = tessera("recipe", "import", str(result), "-s", str(stack))
    assert code == 0, error
    digest = re.search(r"stack \S+ resolves with it: digest ([0-9a-f]{64})", told)[1]
    code, told, error = tessera("recipe", "show", "-s", str(stack), "--json")
    assert code == 0, error
    assert digest == json.loads(told)["digest"]


def test_pools_say_how_gpus_are_shared_whatever_an_imported_component_is_called(tessera, stack):
    code, told, error = tessera(
        "recipe", "why", "components.nvidia-dra-driver-gpu.values.kubeletPlugin.nodeSelector", "-s", str(stack)
    )
    assert code == 0, error
    assert "set by stack/sharing" in told


def test_one_file_with_all_values_comes_back_as_itself(tessera, result, tmp_path):
    one = tmp_path / "one.yaml"
    assert tessera("recipe", "import", str(result), "--out", str(one))[0] == 0
    shutil.rmtree(result.parent)
    _, first, _ = tessera("recipe", "import", str(one), "--json")
    _, again, _ = tessera("recipe", "import", str(one), "--out", str(one), "--json")
    assert json.loads(first)["recipe"] == json.loads(again)["recipe"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(None, "can't be read", id="no file"),
        pytest.param("kind: Deployment\n", "kind", id="something else"),
        pytest.param("a: [\n", "YAML", id="no YAML"),
    ],
)
def test_mistakes_are_one_sentence_with_the_file(tessera, tmp_path, text, said):
    path = tmp_path / "r.yaml"
    if text is not None:
        path.write_text(text)
    code, _, error = tessera("recipe", "import", str(path))
    assert code == 3
    assert "r.yaml" in error
    assert said in error
