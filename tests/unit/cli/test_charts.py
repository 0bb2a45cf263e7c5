"""`tessera charts` and `tessera recipe vet`."""

import json
import shutil

import pytest

import cli.checkout
from cli.checkout import CHECKOUT
from tessera import data
from tests.unit.tessera.charts.conftest import files

COMPONENT = """format: 1
layer: base/platform
scope: cluster
blocks:
  - when: {}
    because: a test
    set:
      components:
        certificates:
          {chart: cert-manager, version: v1.21.1, namespace: cert-manager, values: {crds: {enabled: true}}}
"""


@pytest.fixture
def small(tmp_path):
    """A chart's folder."""
    for name, text in files().items():
        (tmp_path / "small" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "small" / name).write_bytes(text)
    return tmp_path / "small"


@pytest.fixture
def layer(tmp_path, monkeypatch):
    """A layer beside those that ship, in recipes of the test's own, with the checkout's stacks."""
    recipes = tmp_path / "recipes"
    shutil.copytree(CHECKOUT / "recipes", recipes)
    monkeypatch.setattr(data, "RECIPES", recipes)
    monkeypatch.setattr(cli.checkout, "CHECKOUT", tmp_path)

    def write(text):
        (recipes / "layers" / "base" / "platform.yaml").write_text(text)

    return write


def test_a_chart_is_recorded_to_a_folder(tessera, small, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    code, told, said = tessera("charts", "record", str(small), "--out", str(out), "--version", "v1.0.0", "--ref", "v1")
    path = out / "small-v1.0.0.json"
    assert (code, said) == (0, "")
    assert "without far: give --with" in told
    assert json.loads(path.read_text())["recorded"]["ref"] == "v1"
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_chart_is_printed(tessera, small):
    code, told, _ = tessera("charts", "record", str(small))
    assert (code, json.loads(told)["values"]["replicas"]) == (0, {"type": "int", "default": 1})
    assert tessera("charts", "record", str(small / "values.yaml"))[0] == 3


def test_recorded_charts_are_listed(tessera):
    code, told, _ = tessera("charts", "list", "--json")
    rows = {(row["chart"], row["version"]): row for row in json.loads(told)}
    assert code == 0
    assert rows["gpu-operator", "v26.7.0"]["refusals"] == 6
    assert rows["kueue", "0.19.2"]["published"] == "oci://registry.k8s.io/kueue/charts/kueue"


def test_a_recorded_chart_is_shown(tessera):
    code, told, _ = tessera("charts", "show", "jobset")
    assert (code, "asks of the cluster: prometheus.enable asks" in told) == (0, True)
    told = tessera("charts", "show", "gpu-operator", "--below", "driver.nvidiaDriverCRD")[1]
    assert [line.split()[0] for line in told.splitlines()[1:]] == [
        f"driver.nvidiaDriverCRD.{key}" for key in ("deployDefaultCR", "driverType", "enabled", "nodeSelector")
    ]
    assert "does nothing" in told
    assert json.loads(tessera("charts", "show", "loki", "7.3.0", "--json")[1])["version"] == "7.3.0"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("show", "loki"), "several versions are recorded: 7.3.0, 18.11.0", id="several"),
        pytest.param(("show", "lokki"), "did you mean 'loki'", id="unknown chart"),
        pytest.param(("show", "jobset", "1.0.0"), "recorded: 0.12.0", id="unknown version"),
        pytest.param(("record", "/nowhere.tgz"), "can't be read", id="no file"),
    ],
)
def test_mistakes_are_one_sentence(tessera, words, said):
    code, told, error = tessera("charts", *words)
    assert (code, told) == (3, "")
    assert said in error


def test_what_ships_is_vetted(tessera):
    code, told, said = tessera("recipe", "vet")
    assert (code, said) == (0, "")
    assert "fit their charts" in told


def test_a_stack_is_vetted(tessera):
    code, told, _ = tessera("recipe", "vet", "-s", "lab")
    assert (code, "fit their charts" in told) == (0, True)
    assert json.loads(tessera("recipe", "vet", "-s", "lab", "--json")[1]) == []


def test_a_misspelt_key_in_any_layer_is_exit_code_1(tessera, layer):
    layer(COMPONENT)
    code, told, _ = tessera("recipe", "vet")
    assert (code, "fit their charts" in told) == (0, True)
    layer(COMPONENT.replace("enabled", "enabeld"))
    code, told, _ = tessera("recipe", "vet")
    assert code == 1
    assert told.startswith("recipes/layers/base/platform.yaml:10: components.certificates.values.crds.enabeld: ")
    assert "did you mean 'crds.enabled'?" in told
    code, told, _ = tessera("recipe", "vet", "--json")
    assert (code, json.loads(told)[0]["kind"]) == (1, "unknown")


def test_a_path_that_no_value_has_is_refused_with_the_nearest(tessera):
    code, told, error = tessera("charts", "show", "gpu-operator", "--below", "drivr")
    assert (code, told) == (3, "")
    assert "no value at or below 'drivr' (did you mean 'driver'?)" in error
    assert len(error) < 200


def test_a_path_below_which_nothing_is_gets_the_nearest_one_however_deep(tessera):
    code, _, error = tessera("charts", "show", "gpu-operator", "--below", "driver.versoin")
    assert (code, "(did you mean 'driver.version'?)" in error) == (3, True)


def test_a_chart_without_values_is_no_error(tessera):
    assert tessera("charts", "show", "agentgateway-crds")[:2] == (0, "no values\n")
