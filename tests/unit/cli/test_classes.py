"""`tessera classes`: the catalogue, one class, and where classes fit."""

import json

import pytest
import yaml

from cli.checkout import CHECKOUT
from tessera.dra.classes import names

STACK = """config:
  tessera:cluster: {{service: lab, kubernetes: "1.36"}}
  tessera:pools:
    - {{name: one, board: {board}, size: 2, sharing: {sharing}}}
  tessera:classes: [{classes}]
"""


@pytest.fixture
def stack(tmp_path):
    """Writes a stack file of one pool; its path."""

    def write(board, sharing, *classes):
        path = tmp_path / "Pulumi.one.yaml"
        path.write_text(STACK.format(board=board, sharing=sharing, classes=", ".join(classes)))
        return str(path)

    return write


def test_list_shows_every_class_with_price_currency_and_date(tessera):
    code, told, _ = tessera("classes", "list")
    lines = told.splitlines()[1:]
    assert code == 0
    assert [line.split()[0] for line in lines] == names()
    assert all(" USD per hour (20" in line for line in lines)


def test_list_is_json_for_programs(tessera):
    _, told, _ = tessera("classes", "list", "--json")
    rows = {row["class"]: row for row in json.loads(told)}
    assert rows["gpu-training-rdma"]["devices"] == "1 gpu + nic"
    assert rows["gpu-interactive-notebook"]["queueable"] is False


@pytest.mark.parametrize("name", names())
def test_show_tells_requirement_selector_quota_queue_and_price(tessera, name):
    code, told, _ = tessera("classes", "show", name)
    assert code == 0
    for said in ("requires ", "price from ", "queueable ", f"{name}.deviceclass.resource.k8s.io/devices"):
        assert said in told
    assert 'device.driver == "gpu.nvidia.com" &&' in told


@pytest.mark.parametrize("name", names())
def test_show_yaml_is_the_template_and_the_pod_alone(tessera, name):
    _, told, _ = tessera("classes", "show", name, "--yaml", "-n", "ai")
    found = list(yaml.safe_load_all(told))
    assert [row["kind"] for row in found] == ["ResourceClaimTemplate", "Pod"]
    assert {row["metadata"]["namespace"] for row in found} == {"ai"}
    assert "&id" not in told


def test_show_json_has_it_all(tessera):
    _, told, _ = tessera("classes", "show", "gpu-training-rdma", "--json", "--count", "2")
    found = json.loads(told)
    assert list(found["selectors"]) == ["gpu-training-rdma", "gpu-training-rdma-nic"]
    assert found["price"]["date"]
    assert len(found["example"][0]["spec"]["spec"]["devices"]["requests"]) == 4


@pytest.mark.parametrize("name", sorted(path.stem for path in (CHECKOUT / "stacks").glob("Pulumi.*.yaml")))
def test_classes_that_an_example_stack_offers_fit_somewhere(tessera, name):
    code, told, error = tessera("classes", "fit", "-s", name.removeprefix("Pulumi."), "--json")
    assert (code, error) == (0, "")
    assert {row["class"] for row in json.loads(told)} == set(names())


def test_fit_counts_devices_per_node_and_in_total(tessera, stack):
    _, told, _ = tessera("classes", "fit", "-s", stack("hgx-h100", "dynamic-mig", "gpu-inference-light"), "--json")
    rows = {row["class"]: row for row in json.loads(told)}
    assert (rows["gpu-inference-light"]["per node"], rows["gpu-inference-light"]["total"]) == (16, 32)
    assert rows["gpu-inference-light"]["offered"] is True
    assert rows["gpu-training-single"]["offered"] is False


def test_fit_ends_with_one_where_an_offered_class_fits_nowhere(tessera, stack):
    code, told, error = tessera("classes", "fit", "-s", stack("pcie-l40s", "dra", "gpu-inference-large"))
    assert code == 1
    assert "memory 46068Mi, wanted at least 80G" in told
    assert error.startswith("tessera: class gpu-inference-large: no pool of this stack has such a device; nearest:")


def test_a_stack_that_offers_what_fits_nowhere_is_refused_with_its_line(tessera, stack):
    path = stack("hgx-h100", "dra", "gpu-training-single", "gpu-inference-light")
    code, _, error = tessera("recipe", "show", "-s", path)
    assert code == 3
    assert f"{path}:5: tessera:classes[1]: class gpu-inference-light: no pool of this stack" in error
    assert "set sharing: dynamic-mig or add a pool" in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("show", "gpu-inference-lite"), "did you mean 'gpu-inference-light'", id="unknown class"),
        pytest.param(("show", "gpu-training-single", "--count", "33"), "allowed 1 to 32", id="too many"),
        pytest.param(("fit", "-s", "lba"), "did you mean 'lab'", id="unknown stack"),
    ],
)
def test_mistakes_are_one_sentence(tessera, words, said):
    code, _, error = tessera("classes", *words)
    assert code == 3
    assert said in error
