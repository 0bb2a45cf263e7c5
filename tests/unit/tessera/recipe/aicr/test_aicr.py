"""Recipes of AICR: taken over whole, exported the same, and what can't be taken over is said."""

import copy
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tessera.errors import ProblemsError, TesseraError
from tessera.recipe import lock
from tessera.recipe.aicr import export, imported, order
from tessera.recipe.aicr.result import parse
from tessera.recipe.order import order as computed
from tessera.recipe.request import PoolRequest, RecipeRequest
from tessera.recipe.shipped import shipped

SHAPES = Path(__file__).parent / "shapes"
H100, GB200 = "h100-eks-ubuntu-training-kubeflow", "gb200-eks-ubuntu-training"
UNMAPPED = {"nodewright-customizations"}


def text(name):
    return (SHAPES / f"{name}.yaml").read_text(encoding="utf-8")


def changed(name, **changes):
    """The text of a shape with other top keys."""
    said = yaml.safe_load(text(name)) | changes
    return yaml.safe_dump({key: value for key, value in said.items() if value is not None}, sort_keys=False)


def resolved(found, accelerator="h100", gpu="h100-sxm-80", os="ubuntu-24.04", **criteria):
    cluster = {"service": "eks", "kubernetes": "1.36", "intent": "training", "framework": "kubeflow", **criteria}
    pool = {"accelerator": accelerator, "gpu": gpu, "architecture": "amd64", "os": os, "sharing": "none"}
    return shipped(RecipeRequest(cluster, (PoolRequest("p", 2, pool),), components=found.layers))


def said_values(ref, folder=SHAPES):
    """What AICR makes of a component: its own file, the named one, the inline values; null deletes."""

    def merge(under, over):
        for key, value in over.items():
            if value is None:
                under.pop(key, None)
            elif isinstance(value, dict) and isinstance(under.get(key), dict):
                merge(under[key], value)
            else:
                under[key] = copy.deepcopy(value)
        return under

    found = {}
    named = ref.get("valuesFile")
    own = f"components/{ref['name']}/values.yaml"
    for name in [own, named] if named and named != own else [named] if named else []:
        if (folder / name).exists():
            merge(found, yaml.safe_load((folder / name).read_text()))
    inline = {key: value for key, value in ref.get("overrides", {}).items() if key not in ("enabled", "install")}
    return pruned(merge(found, inline))


def pruned(tree):
    """Without mappings that a null left empty."""
    return {key: pruned(value) if isinstance(value, dict) else value for key, value in tree.items() if value != {}}


def constraints(said):
    rows = [*said["constraints"], *(row for part in said["validation"].values() for row in part.get("constraints", ()))]
    return sorted((row["name"], row["value"], row.get("severity", "error")) for row in rows)


@pytest.mark.parametrize(
    ("name", "of"),
    [
        pytest.param(H100, {}, id="values in files"),
        pytest.param(
            GB200, {"accelerator": "gb200", "gpu": "gb200-186", "framework": "none"}, id="values inline, own order"
        ),
    ],
)
def test_a_recorded_shape_comes_back_the_same(name, of):
    theirs = yaml.safe_load(text(name))
    ours = export.of_recipe(resolved(imported.read(SHAPES / f"{name}.yaml"), **of))
    running = {
        one["name"]: one
        for one in theirs["componentRefs"]
        if one["name"] not in UNMAPPED and one.get("overrides", {}).get("enabled") is not False
    }
    assert ours["deploymentOrder"] == [one for one in theirs["deploymentOrder"] if one in running]
    assert {one["name"] for one in ours["componentRefs"]} == running.keys()
    for one in ours["componentRefs"]:
        other = running[one["name"]]
        for key in ("version", "chart", "source", "namespace"):
            assert one[key] == other[key]
        assert pruned(one["overrides"]) == said_values(other)
        assert set(one["dependencyRefs"]) >= set(other.get("dependencyRefs", ())) - UNMAPPED
    assert ours["criteria"] == theirs["criteria"]
    assert constraints(ours) == constraints(theirs)


@pytest.mark.parametrize("name", [H100, GB200])
def test_the_one_file_that_import_writes_brings_the_same(name, tmp_path):
    first = export.of_import(imported.read(SHAPES / f"{name}.yaml"))
    (tmp_path / "one.yaml").write_text(yaml.safe_dump(first, sort_keys=False))
    assert export.of_import(imported.read(tmp_path / "one.yaml")) == first


def test_what_can_not_be_taken_over_is_said_with_its_line():
    told = [str(one) for one in imported.read(SHAPES / f"{H100}.yaml", "aicr.yaml").left]
    at = next(line for line, row in enumerate(text(H100).splitlines(), 1) if "name: nodewright-customizations" in row)
    assert f"aicr.yaml:{at}: nodewright-customizations: only manifests, no chart; not installed" in "\n".join(told)
    for said in (
        "gpu-operator.manifestFiles: objects beside the chart are not installed",
        "gpu-operator.expectedResources: no check here",
        "nvsentinel: chart nvsentinel v1.9.0 is not recorded here",
        "validation.conformance: check gang-scheduling is AICR's own",
        "nccl-all-reduce-bw: kept as a constraint, but no check here measures it yet",
    ):
        assert any(said in one for one in told), said


def test_criteria_and_constraints_that_nobody_here_knows_are_said():
    said = changed(
        GB200,
        criteria={"service": "gke", "accelerator": "vr200", "os": "cos", "platform": "slurm", "nodes": 4},
        constraints=[
            {"name": "NodeTopology.label.gpu", "value": "!x"},
            {"name": "OS.release.ID", "value": "cos"},
            {"name": "GPU.hardware.model", "value": "GB200"},
        ],
        configuration={"slurm": {}},
    )
    told = {one.what: one.text for one in imported.imported(parse(said, "r.yaml"), SHAPES).left}
    assert "none of ours; known: eks, lab, metal" in told["criteria.service"]
    assert told.keys() >= {
        "criteria.accelerator",
        "criteria.os",
        "criteria.platform",
        "criteria.nodes",
        "configuration",
    }
    assert "has no counterpart" in told["NodeTopology.label.gpu"]
    assert "no operating system of a pool fits" in told["OS.release.ID"]
    assert told["GPU.hardware.model"] == "constraint 'GB200': nothing here reads it"


def test_a_component_waits_for_what_one_that_is_left_out_waited_for():
    recipe = resolved(imported.read(SHAPES / f"{H100}.yaml"))
    operator = next(one for one in recipe.components if one.name == "gpu-operator")
    assert "nodewright-operator" in operator.after
    assert "nodewright-customizations" not in [one.name for one in recipe.components]


def test_a_component_that_is_switched_off_does_not_run_and_needs_no_version():
    recipe = resolved(imported.read(SHAPES / f"{GB200}.yaml"), accelerator="gb200", gpu="gb200-186", framework="none")
    assert "kueue" not in [one.name for one in recipe.components]
    assert "components.kueue" in recipe.deleted


@pytest.mark.parametrize(
    ("stack", "said"),
    [
        pytest.param({"service": "metal"}, "cluster.service is metal, and must be equals eks", id="service"),
        pytest.param({"framework": "none"}, "cluster.framework is none, and must be equals kubeflow", id="platform"),
        pytest.param({"accelerator": "l4", "gpu": "l4"}, "pool.accelerator is l4, and must be equals h100", id="GPU"),
        pytest.param({"os": "rhel-9", "service": "metal"}, "pool.os is rhel-9, and must be one of ubuntu", id="system"),
    ],
)
def test_a_stack_that_the_recipe_was_not_made_for_is_refused(stack, said):
    with pytest.raises(ProblemsError) as refusal:
        resolved(imported.read(SHAPES / f"{H100}.yaml", "aicr.yaml"), **stack)
    line = next(one for one in refusal.value.problems if said in one)
    assert "(aicr.yaml:" in line


def test_a_floor_that_a_component_is_below_refuses_the_stack():
    said = changed(
        GB200,
        validation={"deployment": {"constraints": [{"name": "Deployment.gpu-operator.version", "value": ">= v27.1"}]}},
    )
    with pytest.raises(ProblemsError, match=r"component.gpu-operator.version is v26.7.0, and must be at least v27.1"):
        resolved(imported.imported(parse(said, "r.yaml"), SHAPES), "gb200", "gb200-186", framework="none")


def test_the_import_is_in_digest_and_lock(tmp_path):
    before = resolved(imported.read(SHAPES / f"{H100}.yaml", "aicr.yaml"))
    (tmp_path / "components").symlink_to(SHAPES / "components")
    (tmp_path / "aicr.yaml").write_text(text(H100).replace("v0.14.1", "v0.16.9"))
    after = resolved(imported.read(tmp_path / "aicr.yaml", "aicr.yaml"))
    assert before.artifacts["imported"]["from"] == "aicr.yaml"
    assert any("nodewright-customizations" in one for one in before.artifacts["imported"]["left_out"])
    assert before.digest != after.digest
    changes = [one.text for one in lock.changes(lock.lock(before), after)]
    assert any("v0.16.9" in one for one in changes)
    assert any("imported" in one for one in changes)


def test_tesseras_own_hosts_and_constraints_stay():
    recipe = resolved(imported.read(SHAPES / f"{H100}.yaml"))
    (pool,) = recipe.pools
    assert pool.hosts["driver"]["version"]
    assert recipe.constraints["kubernetes"]["at least"] == "1.34"
    assert pool.constraints["OS.release.VERSION_ID"]["one of"] == ["ubuntu-24.04"]


def test_values_say_which_file_set_them_and_what_they_replaced():
    recipe = resolved(imported.read(SHAPES / f"{H100}.yaml", "aicr/r.yaml"))
    found = recipe.provenance["components.gpu-operator.values.daemonsets.tolerations"]
    assert found.place == "aicr/components/gpu-operator/values-eks-training.yaml:2"
    assert found.replaced[0].place == "aicr/components/gpu-operator/values.yaml:11"
    assert "components.gpu-operator.values.driver.rdma.enabled" in recipe.deleted


WRONG = [
    pytest.param(
        {"kind": "RecipeMetadata"}, ":1: kind: found RecipeMetadata, allowed: RecipeResult; an overlay", id="kind"
    ),
    pytest.param({"apiVersion": "v9"}, "apiVersion: found v9, allowed: aicr.run/v1", id="version"),
    pytest.param({"componentRefs": []}, "componentRefs: must be a list with at least one component", id="nothing"),
    pytest.param({"deploymentOrder": ["cert-manger"]}, "unknown component 'cert-manger' (did you mean", id="order"),
    pytest.param(
        {"validation": {"deploy": {}}}, "unknown phase 'deploy' (did you mean 'deployment'", id="phase of validation"
    ),
    pytest.param({"constraints": [{"name": "x"}]}, "constraints[0]: must have a name and a value", id="half a rule"),
    pytest.param({"constraints": [{"name": "x", "value": 1.3}]}, "constraints[0].value: must be text", id="number"),
]


@pytest.mark.parametrize(("change", "said"), WRONG)
def test_a_wrong_file_is_told_with_line_and_path(change, said):
    with pytest.raises(ProblemsError) as refusal:
        parse(changed(GB200, **change), "r.yaml")
    assert any(one.startswith("r.yaml:") and said in one for one in refusal.value.problems), refusal.value.problems


def refs(*rows):
    return changed(GB200, componentRefs=list(rows), deploymentOrder=None)


def ref(name, **more):
    return {"name": name, "chart": name, "type": "Helm", "version": "1", "namespace": "n", "source": "oci://x", **more}


def test_a_component_that_is_there_twice_is_told_with_both_lines():
    with pytest.raises(
        ProblemsError, match=r"r.yaml:\d+: componentRefs\[1\]: component 'a' is there twice; first on line"
    ):
        parse(refs(ref("a"), ref("a")), "r.yaml")


def test_a_dependency_that_is_nowhere_is_told():
    with pytest.raises(ProblemsError, match=r"r.yaml:\d+: a: unknown component 'bb' \(did you mean 'b'"):
        parse(refs(ref("a", dependencyRefs=["bb"]), ref("b")), "r.yaml")


@pytest.mark.parametrize(
    ("one", "said"),
    [
        pytest.param(ref("a", version=""), "a: has no version; pin it", id="without a version"),
        pytest.param(ref("a", valuesFile="components/a/values.yaml"), "is not beside the recipe", id="values missing"),
        pytest.param(ref("a", valuesFile="../x.yaml"), "must lie beside the recipe", id="values elsewhere"),
    ],
)
def test_a_component_that_can_not_be_installed_as_said_is_refused(one, said, tmp_path):
    with pytest.raises(ProblemsError, match=rf"r.yaml:\d+: .*{said}"):
        imported.imported(parse(refs(one), "r.yaml"), tmp_path)


def test_an_order_against_the_dependencies_is_refused(tmp_path):
    said = changed(GB200, componentRefs=[ref("a", dependencyRefs=["b"]), ref("b")], deploymentOrder=["a", "b"])
    with pytest.raises(ProblemsError, match=r"r.yaml:\d+: deploymentOrder: a stands before b, which it depends on"):
        imported.imported(parse(said, "r.yaml"), tmp_path)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(TesseraError, match=r"can't be read .*name a RecipeResult"):
        imported.read(tmp_path / "none.yaml")


@st.composite
def orders(draw):
    names = [f"c{at}" for at in range(draw(st.integers(1, 9)))]
    wanted = draw(st.permutations(names))
    after = {
        name: set(draw(st.lists(st.sampled_from(wanted[:at] or [""]), max_size=3))) - {""}
        for at, name in enumerate(wanted)
    }
    return wanted, after


@given(orders())
def test_whatever_order_the_recipe_has_is_kept(case):
    wanted, after = case
    found = order.kept(after, wanted)
    assert computed(found) == wanted
    assert all(found[name] >= befores for name, befores in after.items())
