"""Resolving a request: criteria honoured, identities set once, required values there, the stack's overrides last."""

import re

import pytest

from tessera.errors import ProblemsError
from tessera.recipe.request import RecipeRequest
from tessera.recipe.resolve import resolve

C = "c: {chart: c, version: '1', namespace: n}"


def problems_of(request, layers):
    with pytest.raises(ProblemsError) as told:
        resolve(request, layers)
    return list(told.value.problems)


def test_a_small_stack_resolves(small, request_for, golden):
    found = resolve(request_for(overrides={"gpu-operator": {"logs": 2}}, lines={("gpu-operator", "logs"): 12}), small)
    golden("metal", found.document())


def test_components_stand_in_order_with_what_they_come_after(small, request_for):
    found = resolve(request_for(), small)
    assert [(one.name, one.after) for one in found.components] == [
        ("node-feature-discovery", ()),
        ("gpu-operator", ("node-feature-discovery",)),
    ]
    assert found.artifacts["charts"]["gpu-operator"] == {
        "chart": "gpu-operator",
        "version": "v26.3.3",
        "repository": "https://charts.example/nvidia",
    }


def test_a_stack_without_pools_resolves(small, request_for):
    request = request_for(framework="none", stated={"service"})
    found = resolve(RecipeRequest(request.criteria, (), request.stated), small)
    assert (found.pools, len(found.components)) == ((), 2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(
            {"service": "eks"},
            ["the cluster: no layer reads service 'eks': unknown service 'eks'; allowed: metal"],
            id="no layer",
        ),
        pytest.param(
            {"intent": "inference"},
            ["the cluster: no layer reads intent 'inference': unknown intent 'inference'; allowed: training"],
            id="no block",
        ),
    ],
)
def test_a_criterion_of_the_cluster_that_nothing_reads_is_refused(small, request_for, change, said):
    assert problems_of(request_for(**change), small) == said


def test_a_criterion_that_only_blocks_read_that_do_not_apply_is_refused(small, request_for, pool):
    asked = request_for(pool("cpu", accelerator=None, sharing=None))
    assert problems_of(asked, small) == [
        "the cluster: intent 'training' changes nothing here, since no block that reads it applies: "
        "recipe/layers/intent/training.yaml:5 needs accelerator h100"
    ]


def test_a_criterion_of_a_pool_that_nothing_reads_is_refused(small, request_for, pool):
    asked = request_for(pool("a"), pool("b", accelerator="h200"), pool("c", os="ubuntu-24.4"))
    assert problems_of(asked, small) == [
        "pool 'b': no layer reads accelerator 'h200': unknown accelerator 'h200' (did you mean 'h100'?); allowed: h100",
        "pool 'c': no layer reads os 'ubuntu-24.4': unknown os 'ubuntu-24.4' (did you mean 'ubuntu-24.04'?); "
        "allowed: rhel-9, ubuntu-24.04",
    ]


def test_a_criterion_that_is_a_default_need_not_be_read(small, request_for, pool):
    asked = request_for(pool(sharing="mps", stated={"os"}), framework="kubeflow", stated={"service"})
    assert resolve(asked, small).pools[0].criteria["sharing"] == "mps"


def test_a_request_that_is_wrong_tells_everything(small, pool):
    pools = (pool("a", size=-1), pool("a", stated={"os", "region"}), pool("ü" * 300, oss="x", os=5))
    said = problems_of(RecipeRequest({"service": "metal", "intnt": "training"}, pools), small)
    assert [re.sub("ü+", "ü", line) for line in said] == [
        "the cluster: unknown criterion 'intnt' (did you mean 'intent'?); "
        "allowed: framework, intent, kubernetes, service",
        "the cluster: kubernetes is missing",
        "the cluster: framework is missing",
        "pool 'a': size must be a count of nodes; found -1",
        "pool 'a': region is stated but has no value",
        "pool 'ü': os must be text, not empty; found 5",
        "pool 'ü': unknown criterion 'oss' (did you mean 'os'?); allowed: accelerator, architecture, gpu, os, sharing",
        "pool 'a' is there 2 times; names must differ",
    ]


def test_names_that_are_long_or_not_ascii_resolve(small, request_for, pool):
    name = "größe.東京" * 100
    found = resolve(request_for(pool(name)), small)
    assert found.provenance[f'pools["{name}"].hosts.kernel.minimum'].layer == "os/ubuntu-24.04"


def test_one_layer_that_stands_twice_is_refused(small, request_for):
    assert problems_of(request_for(), [*small, small[0]]) == ["layer 'base/platform' is there 2 times"]


def test_an_identity_that_two_layers_set_is_refused(layer, quiet):
    found = [
        layer("base/c", f"- {{when: {{}}, set: {{components: {{{C}}}}}}}"),
        layer("service/lab", "- {when: {}, set: {components: {c: {version: '2'}}}}"),
    ]
    assert problems_of(quiet(), found) == [
        "recipes/layers/service/lab.yaml:5: components.c.version: '2', but recipes/layers/base/c.yaml:5 (base/c) "
        "has set it to '1'; what a component is, one layer says, once"
    ]


def test_an_identity_that_two_pools_set_is_told_once(layer, quiet, pool):
    block = "- {{when: {{os: {0}}}, set: {{components: {{c: {{chart: c, version: {0}, namespace: n}}}}}}}}\n"
    found = [layer("os/both", block.format("rhel-9") + block.format("debian-12"), "pool")]
    said = problems_of(quiet(pool("a", os="rhel-9", stated=()), pool("b", os="debian-12", stated=())), found)
    assert len(said) == 3
    assert all("one layer says, once" in line for line in said)


def test_one_identity_by_kubernetes_version_is_one(layer, quiet):
    block = (
        "- {{when: {{kubernetes: '{0}'}}, set: {{components: {{c: {{chart: c, version: '{0}', namespace: n}}}}}}}}\n"
    )
    found = [layer("base/c", block.format("1.36") + block.format("1.37"))]
    assert resolve(quiet(), found).components[0].version == "1.36"


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        pytest.param(
            "components: {c: {values: {a: 1}}, cc: {chart: c, version: '1', namespace: n}}",
            "components.c: no layer that applies sets its chart, version, namespace; "
            "unknown component of this stack 'c' (did you mean 'cc'?); allowed: cc",
            id="values of nothing",
        ),
        pytest.param(
            "components: {c: {chart: c, namespace: n}}",
            "components.c: no layer that applies sets its version",
            id="no version",
        ),
        pytest.param(
            f"components: {{{C}, d: {{}}}}",
            "components.d: no layer that applies sets its chart, version, namespace; "
            "unknown component of this stack 'd'; allowed: c",
            id="nothing at all",
        ),
        pytest.param(
            "hosts: {driver: {modules: open}}",
            "hosts.driver of pool 'h100' has no version that is text",
            id="a driver without version",
        ),
        pytest.param(
            "hosts: {driver: {version: 580.1}}",
            "hosts.driver of pool 'h100' has no version that is text",
            id="a driver's version as a number",
        ),
        pytest.param(
            "constraints: {k: {subject: s}}",
            "constraints.k must have one of at least, at most, equals, one of, present; found none",
            id="no operator",
        ),
        pytest.param("constraints: {k: {equals: 1}}", "constraints.k has no subject", id="no subject"),
        pytest.param(
            "constraints: {k: {subject: s, equals: 1, present: true}}",
            "constraints.k must have one of at least, at most, equals, one of, present; found equals, present",
            id="two operators",
        ),
    ],
)
def test_what_is_missing_is_told(layer, quiet, sets, said):
    assert problems_of(quiet(), [layer("base/c", f"- {{when: {{}}, set: {{{sets}}}}}")]) == [
        f"recipes/layers/base/c.yaml:5: {said}"
    ]


def test_null_on_a_drivers_version_is_told_with_its_place(layer, quiet):
    found = [
        layer("base/c", "- {when: {}, set: {hosts: {driver: {version: 580.1.2, modules: open}}}}"),
        layer("service/lab", "- {when: {}, set: {hosts: {driver: {version: null}}}}"),
    ]
    assert problems_of(quiet(), found) == [
        "recipes/layers/base/c.yaml:5: hosts.driver of pool 'h100' has no version that is text; "
        "recipes/layers/service/lab.yaml:5 has deleted it"
    ]


def after(name, *befores):
    return f"{name}: {{chart: c, version: '1', namespace: n, after: [{', '.join(befores)}]}}"


def test_a_cycle_is_printed_as_a_path(layer, quiet):
    sets = ", ".join([after("a", "b"), after("b", "a")])
    (said,) = problems_of(quiet(), [layer("base/c", f"- {{when: {{}}, set: {{components: {{{sets}}}}}}}")])
    assert said == "components: a cycle in `after`: a after b after a; one of them must give way"


def test_after_what_nobody_knows_names_the_nearest(layer, quiet):
    (said,) = problems_of(
        quiet(), [layer("base/c", f"- {{when: {{}}, set: {{components: {{{after('alpha', 'alpa')}}}}}}}")]
    )
    assert said == (
        "recipes/layers/base/c.yaml:5: components.alpha.after: unknown component 'alpa' (did you mean 'alpha'?); "
        "allowed: alpha"
    )


def test_after_what_is_not_in_this_stack_is_refused(layer, quiet):
    found = [
        layer("base/c", f"- {{when: {{}}, set: {{components: {{{after('a', 'b')}}}}}}}"),
        layer("service/eks", f"- {{when: {{service: eks}}, set: {{components: {{{after('b')}}}}}}}"),
    ]
    (said,) = problems_of(quiet(), found)
    assert said.startswith(
        "recipes/layers/base/c.yaml:5: components.a.after: 'b' is no component of this stack: no layer"
    )


def test_what_a_layer_switches_off_keeps_nobody_waiting(layer, quiet):
    found = [
        layer("base/c", f"- {{when: {{}}, set: {{components: {{{after('a', 'b')}, {after('b')}}}}}}}"),
        layer("service/lab", "- {when: {}, because: the lab has none, set: {components: {b: {enabled: false}}}}"),
    ]
    recipe = resolve(quiet(), found)
    assert [(one.name, one.after) for one in recipe.components] == [("a", ())]
    assert recipe.deleted["components.b"].because == "the lab has none"
    assert not any(path.startswith("components.b") for path in recipe.provenance)


def test_overrides_come_last_and_say_where_they_stand(small, request_for):
    overrides = {"gpu-operator": {"driver": {"enabled": True}, "operator": {"annotations": {"a.b/c": "x"}}}}
    lines = {("gpu-operator", "driver", "enabled"): 31, ("gpu-operator",): 30}
    found = resolve(request_for(overrides=overrides, lines=lines), small)
    assert found.components[1].values["driver"] == {"enabled": True}
    why = found.provenance["components.gpu-operator.values.driver.enabled"]
    assert (why.layer, why.place, why.because) == ("overrides", "stacks/Pulumi.dc1.yaml:31", "the stack's own override")
    assert [(one.layer, one.value) for one in why.replaced] == [("base/platform", True), ("service/metal", False)]
    assert found.provenance['components.gpu-operator.values.operator.annotations["a.b/c"]'].line == 30


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        pytest.param(
            {"gpu-operatr": {"a": 1}},
            "overrides.gpu-operatr: unknown component 'gpu-operatr' (did you mean 'gpu-operator'?)",
            id="unknown",
        ),
        pytest.param(
            {"gpu-operator": 5}, "components.gpu-operator.values: must be a mapping; found 5", id="no mapping"
        ),
        pytest.param(
            {"gpu-operator": {"drivr": None}},
            "overrides.gpu-operator.drivr: null deletes what a layer set, and none has set this",
            id="nothing to delete",
        ),
        pytest.param(
            {"gpu-operator": {"driver": 5}}, "components.gpu-operator.values.driver: sets 5 where", id="another kind"
        ),
        pytest.param({"gpu-operator": {1: 5}}, "overrides: a key must be text; found 1", id="a key that is no text"),
        pytest.param(
            {"gpu-operator": {"a": [float("nan")]}},
            "overrides: is nothing that JSON can hold; found nan",
            id="not a number",
        ),
        pytest.param(
            {"gpu-operator": {"a": "\ud800"}}, "overrides: is not text that UTF-8 can hold", id="half a character"
        ),
        pytest.param(
            {"gpu-operator": {"a": object}}, "overrides: is nothing that JSON can hold; found <class", id="an object"
        ),
    ],
)
def test_an_override_that_is_wrong_is_told(small, request_for, overrides, said):
    (first, *_) = problems_of(request_for(overrides=overrides, lines={(): 9}), small)
    assert said in first
    assert first.startswith("stacks/Pulumi.dc1.yaml")


def test_an_override_of_an_unknown_component_is_told_once(small, request_for):
    assert len(problems_of(request_for(overrides={"gpu-operatr": {"a": 1}}), small)) == 1


def test_an_override_may_say_why(small, request_for):
    found = resolve(
        request_for(
            overrides={
                "gpu-operator": {"toolkit": {"value": None, "because": "ours"}, "x": {"value": 1, "because": "asked"}}
            }
        ),
        small,
    )
    assert found.provenance["components.gpu-operator.values.x"].because == "asked"


def test_an_override_of_a_component_that_is_off_is_refused(layer, quiet):
    found = [layer("base/c", f"- {{when: {{}}, set: {{components: {{{C[:-1]}, enabled: false}}}}}}}}")]
    assert problems_of(quiet(overrides={"c": {"a": 1}}), found) == [
        "the stack file: overrides.c: this component is switched off in this stack"
    ]


def test_what_reads_a_product_reads_its_accelerator(layer, quiet, pool):
    found = [layer("accelerator/h100-sxm-80", "- {when: {gpu: h100-sxm-80}, set: {}}", "pool")]
    stated = ("accelerator", "gpu")
    resolve(quiet(pool(gpu="h100-sxm-80", stated=stated)), found)
    (said,) = problems_of(quiet(pool(gpu="h100-pcie-80", accelerator="h100", stated=("gpu",))), found)
    assert said.startswith("pool 'h100': no layer reads gpu 'h100-pcie-80': unknown gpu 'h100-pcie-80' (did you mean")
