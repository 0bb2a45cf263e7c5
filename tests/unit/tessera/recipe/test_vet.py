"""Vetting layers and recipes: what is told, and where it stands."""

import shutil

import pytest

from tessera.charts.known import FOLDER
from tessera.data import RECIPES
from tessera.hardware import gpus
from tessera.recipe import layers, vet
from tessera.recipe.request import RecipeRequest
from tessera.recipe.resolve import resolve

BASE = """format: 1
layer: base/platform
scope: cluster
blocks:
  - when: {}
    because: a test
    set:
      components:
        gpu-operator:
          chart: gpu-operator
          version: v26.7.0
          namespace: gpu-operator
          values:
            driver:
              enabled: false
            dcgmExporter:
              enabledd: true
            toolkit: {value: true, because: a test}
            daemonsets:
              tolerations: {append: [{key: a}]}
        loki: {chart: loki, namespace: loki, version: 18.11.0, values: {deploymentMode: Monolithic}}
"""
METAL = """format: 1
layer: service/metal
scope: cluster
blocks:
  - when: {service: metal, kubernetes: "1.36"}
    because: a test
    set: {components: {gpu-operator: {values: {clusterPolicy: {deployCR: "yes"}}}}}
"""


def parsed(text, name):
    return layers.parse(text, name, f"recipes/layers/{name}.yaml")


def recipe(*files, overrides=None, lines=None):
    criteria = {"service": "metal", "kubernetes": "1.36", "framework": "none"}
    asked = RecipeRequest(criteria, (), frozenset(), overrides or {}, "stacks/Pulumi.x.yaml", lines or {})
    return resolve(asked, files)


def test_a_wrong_value_is_told_with_layer_and_line():
    found = vet.of_layers([parsed(BASE, "base/platform"), parsed(METAL, "service/metal")])
    assert [str(one).split(";")[0] for one in found] == [
        "recipes/layers/base/platform.yaml:17: components.gpu-operator.values.dcgmExporter.enabledd: "
        "gpu-operator v26.7.0 has no value 'dcgmExporter.enabledd', and would ignore it",
        "recipes/layers/base/platform.yaml:18: components.gpu-operator.values.toolkit: must be a mapping (with "
        "enabled, env, hostNetwork, image, imagePullPolicy, imagePullSecrets, installDir, repository)",
        "recipes/layers/service/metal.yaml:7: components.gpu-operator.values.clusterPolicy.deployCR: must be true or "
        "false",
    ]


def test_layers_alone_are_not_asked_what_their_charts_refuse_as_a_whole():
    right = BASE.replace("              enabledd: true\n", "              enabled: true\n")
    right = right.replace("            toolkit: {value: true, because: a test}\n", "")
    assert vet.of_layers([parsed(right, "base/platform")]) == []
    found = vet.of_recipe(recipe(parsed(right, "base/platform")))
    assert {one.kind for one in found} == {"refused"}
    assert {one.path.split(".")[1] for one in found} == {"loki"}


def test_an_override_of_a_stack_is_told_with_its_line():
    lines = {("gpu-operator", "cdi", "nriPluginEnable"): 12, ("gpu-operator", "gpuCluster", "deployCR"): 14}
    said = {"gpu-operator": {"cdi": {"nriPluginEnable": True}, "gpuCluster": {"deployCR": True}}}
    found = vet.of_recipe(
        recipe(parsed(BASE.replace("enabledd", "enabled"), "base/platform"), overrides=said, lines=lines)
    )
    places = {one.place: one for one in found if one.place.startswith("stacks/")}
    assert places["stacks/Pulumi.x.yaml:12"].kind == "unknown"
    both = [one for one in found if one.kind == "refused" and "exclude each other" in one.text]
    assert [one.path for one in both] == ["components.gpu-operator.values.clusterPolicy.deployCR"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param(
            "v26.7.0",
            "v26.7.1",
            "version 'v26.7.1' of chart gpu-operator is not recorded; recorded: v26.7.0",
            id="version",
        ),
        pytest.param("chart: gpu-operator", "chart: gpu-operater", "unknown chart 'gpu-operater'", id="chart"),
    ],
)
def test_a_chart_that_is_not_recorded_is_refused(old, new, said):
    found = vet.of_layers([parsed(BASE.replace(old, new, 1), "base/platform")])
    assert [one.kind for one in found] == ["chart"]
    assert found[0].place == "recipes/layers/base/platform.yaml:11"
    assert said in found[0].text


def test_a_value_is_vetted_for_the_versions_that_may_apply_with_it():
    two = """format: 1
layer: kubernetes/1.35
scope: cluster
blocks:
  - when: {kubernetes: "1.35"}
    because: a test
    set: {components: {loki: {chart: loki, namespace: loki, version: 7.3.0, values: {enterprise: {enabled: false}}}}}
  - when: {kubernetes: "1.36"}
    because: a test
    set: {components: {loki: {chart: loki, namespace: loki, version: 18.11.0}}}
"""
    assert vet.of_layers([parsed(two, "kubernetes/1.35")]) == []
    wrong = two.replace("18.11.0}", "18.11.0, values: {enterprise: {enabled: false}}}")
    (found,) = vet.of_layers([parsed(wrong, "kubernetes/1.35")])
    assert (found.kind, found.place) == ("gone", "recipes/layers/kubernetes/1.35.yaml:10")


def test_a_chart_of_ones_own_is_read_from_its_folder(tmp_path):
    for path in FOLDER.glob("gpu-operator-*"):
        shutil.copy(path, tmp_path)
    found = vet.of_layers([parsed(BASE, "base/platform")], tmp_path)
    assert [one.kind for one in found] == ["unknown", "type", "chart"]


@pytest.fixture(scope="module")
def ships():
    """The layers that come with Tessera."""
    return layers.read(RECIPES / "layers", {"gpu": gpus.names(), "accelerator": gpus.accelerators()})


def test_layers_that_ship_fit_their_charts(ships):
    assert [str(one) for one in vet.of_layers(ships)] == []


def test_nothing_that_the_layers_offer_is_unsafe(ships):
    assert [str(one) for one in vet.of_offers(ships)] == []


def test_what_is_unsafe_is_told_with_the_line_that_set_it():
    operator = {"driver": {"version": "580.95.05", "enabled": True}}
    found = vet.security(recipe(parsed(BASE, "base/platform"), overrides={"gpu-operator": operator}))
    (driver,) = [one for one in found if one.path.endswith("driver.version")]
    assert (driver.kind, driver.severity, driver.place) == ("unsafe", "error", "stacks/Pulumi.x.yaml")
    assert driver.text.startswith("found 580.95.05, allowed: 580.159.03 or later")


def test_a_warning_says_that_it_is_one():
    text = BASE.replace("loki: {chart: loki, namespace: loki, version: 18.11.0", "kueue: {chart: kueue, namespace: k")
    text = text.replace("namespace: k, values: {deploymentMode: Monolithic}", "namespace: k, version: 0.19.2, VALUES")
    (found,) = [
        one
        for one in vet.security(
            recipe(parsed(text.replace("VALUES", "values: {enableKueueViz: true}"), "base/platform"))
        )
        if one.severity == "warning"
    ]
    assert str(found) == (
        "recipes/layers/base/platform.yaml:21: components.kueue.values.enableKueueViz: warning: found true, allowed: "
        "false; the dashboard asks nobody who they are"
    )
    assert vet.as_json([found])[0]["severity"] == "warning"


def shipped_with(ships, name, text):
    """The layers that ship, one of them with a further block."""
    (old,) = [one for one in ships if one.layer == name]
    whole = (RECIPES.parent / old.file).read_text(encoding="utf-8") + text
    return [layers.parse(whole, name, old.file) if one is old else one for one in ships]


def test_what_a_layer_of_any_service_says_is_held_against_the_rules(ships):
    """Also of one that no stack here asks for."""
    more = """
  - when: {intent: interactive, service: metal}
    because: a test
    set: {components: {gpu-operator: {values: {dcgm: {version: latest}}}}}
"""
    (found,) = vet.of_offers(shipped_with(ships, "intent/interactive", more))
    assert (found.place.partition(":")[0], found.kind) == ("recipes/layers/intent/interactive.yaml", "unsafe")
    assert found.text == "found latest, which moves; allowed: a version or a digest"


def test_offers_that_can_not_be_resolved_are_told(ships):
    more = """
  - when: {service: lab}
    because: a test
    set: {constraints: {never: {subject: cluster.service, equals: metal}}}
"""
    (found,) = vet.of_offers(shipped_with(ships, "service/lab", more))
    assert found.kind == "unresolved"
    assert "cluster.service is lab, and must be equals metal: a test" in found.text
