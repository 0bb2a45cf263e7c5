"""Device classes: the catalogue, and the object that each becomes."""

import pytest

from tessera import data
from tessera.dra import classes
from tessera.dra.classes import ServiceClass, device_class, service_class
from tessera.dra.requirements import Requirement
from tessera.errors import ProblemsError, TesseraError


@pytest.fixture
def recipe(tmp_path, monkeypatch):
    """Writes recipes/classes/<name>.yaml of a catalogue of its own."""
    (tmp_path / "classes").mkdir()
    monkeypatch.setattr(data, "RECIPES", tmp_path)
    monkeypatch.setattr(data, "load", data.load.__wrapped__)  # without its cache
    return lambda name, text: (tmp_path / "classes" / f"{name}.yaml").write_text(text)


def test_a_class_becomes_a_device_class_of_v1():
    assert device_class(ServiceClass("light", "anything", Requirement())) == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "light", "labels": {"tessera.dev/class": "light"}},
        "spec": {
            "selectors": [
                {
                    "cel": {
                        "expression": 'device.driver == "gpu.nvidia.com" &&\n'
                        'device.attributes["gpu.nvidia.com"].type == "gpu"'
                    }
                }
            ]
        },
    }


def test_fast_inference_is_the_seed_articles_class_put_right(golden):
    """dra.md 3.11: the right column."""
    golden("gpu-fast-inference", device_class(service_class("gpu-fast-inference")))


@pytest.mark.parametrize("name", classes.names())
def test_every_class_of_the_catalogue_can_be_read_and_keeps_the_limits(name):
    level = service_class(name)
    (row,) = device_class(level)["spec"]["selectors"]
    assert level.summary
    assert len(row["cel"]["expression"]) < 10 * 1024  # dra.md 1.3


def test_an_unknown_class_gets_the_nearest_word():
    with pytest.raises(TesseraError, match=r"unknown class 'gpu-fast-inferense' \(did you mean 'gpu-fast-inference'"):
        service_class("gpu-fast-inferense")


def test_a_wrong_recipe_is_told_with_its_file_and_every_problem(recipe):
    recipe("odd", "summary: x\nrequires: {memory: lots, compute_capability: '9'}\n")
    with pytest.raises(ProblemsError) as refusal:
        service_class("odd")
    assert [line.split(":")[0] for line in refusal.value.problems] == ["recipes/classes/odd.yaml"] * 2


def test_a_recipe_that_is_no_yaml_is_told_with_its_file(recipe):
    recipe("odd", "summary: [")
    with pytest.raises(TesseraError, match=r"^recipes/classes/odd\.yaml: is not YAML"):
        service_class("odd")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("summary: x\n", id="no requirements"),
        pytest.param("requires: {}\n", id="no summary"),
        pytest.param("", id="empty file"),
        pytest.param("summary: x\nrequires: {compute_capability: 8.9}\n", id="unquoted version of two numbers"),
    ],
)
def test_a_recipe_that_lacks_something_is_told_with_its_file(recipe, text):
    recipe("odd", text)
    with pytest.raises(TesseraError, match=r"^recipes/classes/odd\.yaml"):
        service_class("odd")
