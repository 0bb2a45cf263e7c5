"""Pools: each merged for itself, the cluster once; where two disagree, both are named."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.errors import ProblemsError
from tessera.recipe import layers as reader
from tessera.recipe import merge
from tessera.recipe.request import PoolRequest, RecipeRequest
from tessera.recipe.resolve import resolve

OPERATOR = "components: {c: {chart: c, version: '1', namespace: n, values: {%s}}}"


def base(values=""):
    return f"- {{when: {{}}, set: {{{OPERATOR % values}}}}}"


def on(os, values, more=""):
    return f"- {{when: {{os: {os}{more}}}, because: for {os}, set: {{components: {{c: {{values: {values}}}}}}}}}"


@pytest.fixture
def values(layer, quiet, pool):
    """Values of component c, for a pool a on rhel-9 and a pool b on debian-12."""

    def make(before, rhel, debian, after=None, order=("a", "b"), **more):
        found = [
            layer("base/c", base(before)),
            layer("os/rhel-9", on("rhel-9", rhel), "pool"),
            layer("os/debian-12", on("debian-12", debian), "pool"),
        ]
        if after:
            found.append(layer("framework/x", f"- {{when: {{}}, set: {{components: {{c: {{values: {after}}}}}}}}}"))
        oses = {"a": "rhel-9", "b": "debian-12"}
        recipe = resolve(quiet(*(pool(name, os=oses[name], stated=()) for name in order), **more), found)
        return recipe.components[0].values

    return make


AGREED = [
    pytest.param("k: 0", "{k: 1}", "{}", {"k": 1}, id="one sets it"),
    pytest.param("k: 0", "{k: 1}", "{k: 1}", {"k": 1}, id="both set it alike"),
    pytest.param("", "{k: 1}", "{l: 2}", {"k": 1, "l": 2}, id="each its own"),
    pytest.param("l: [x]", "{l: {append: [a]}}", "{l: {append: [b]}}", {"l": ["x", "b", "a"]}, id="both append"),
    pytest.param("", "{l: {append: [a]}}", "{l: {append: [a, b]}}", {"l": ["a", "b"]}, id="both append to nothing"),
    pytest.param("k: 0, j: 1", "{k: null}", "{}", {"j": 1}, id="one deletes it"),
    pytest.param("m: {k: 0, l: 1}", "{m: null}", "{m: null}", {}, id="both delete it"),
    pytest.param("m: {k: 0}", "{m: {k: 1}}", "{m: {}}", {"m": {"k": 1}}, id="an empty mapping says nothing"),
]


@pytest.mark.parametrize("order", ["ab", "ba"])
@pytest.mark.parametrize(("before", "rhel", "debian", "outcome"), AGREED)
def test_pools_agree(values, before, rhel, debian, outcome, order):
    assert values(before, rhel, debian, order=order) == outcome


SPLIT = [
    pytest.param("k: 0", "{k: 1}", "{k: 2}", "k", "wants 1", "wants 2", id="two values"),
    pytest.param("k: 0", "{k: 1}", "{k: true}", "k", "wants 1", "wants true", id="1 and true"),
    pytest.param("k: 0", "{k: null}", "{k: 2}", "k", "wants nothing", "wants 2", id="null and a value"),
    pytest.param(
        "l: [x]", "{l: [a]}", "{l: {append: [b]}}", "l", 'wants ["a"]', 'wants ["x","b"]', id="replace and append"
    ),
    pytest.param(
        "m: {k: 0}", "{m: null}", "{m: {l: 2}}", "m", "wants nothing", "wants 2 at l", id="null and a new key"
    ),
    pytest.param("", "{m: {l: 2}}", "{m: 5}", "m", "wants 2 at l", "wants 5", id="a mapping and a scalar"),
]


@pytest.mark.parametrize("order", ["ab", "ba"])
@pytest.mark.parametrize(("before", "rhel", "debian", "path", "a", "b"), SPLIT)
def test_pools_that_disagree_are_both_named(values, before, rhel, debian, path, a, b, order):
    with pytest.raises(ProblemsError) as told:
        values(before, rhel, debian, order=order)
    (said,) = told.value.problems
    assert said.startswith(f"components.c.values.{path}: two pools set one value of the cluster differently: ")
    assert f"pool 'a' {a} (os/rhel-9, recipes/layers/os/rhel-9.yaml:5)" in said
    assert f"pool 'b' {b} (os/debian-12, recipes/layers/os/debian-12.yaml:5)" in said


@pytest.mark.parametrize(("before", "rhel", "debian", "path", "a", "b"), SPLIT[:4])
def test_what_the_cluster_says_later_settles_it(values, before, rhel, debian, path, a, b):
    assert values(before, rhel, debian, after="{k: 9, l: 9}")[path] == 9
    assert values(before, rhel, debian, overrides={"c": {path: 9}})[path] == 9


def test_a_pool_that_is_more_of_a_thing_is_in_conflict_with_the_simpler_one(layer, quiet, pool):
    found = [
        layer("base/c", base()),
        layer("os/rhel-9", on("rhel-9", "{k: 1}"), "pool"),
        layer("sharing/mig", on("rhel-9", "{k: 2}", ", sharing: mig"), "pool"),
    ]
    asked = quiet(*(pool(name, os="rhel-9", sharing=way, stated=()) for name, way in [("a", "dra"), ("b", "mig")]))
    with pytest.raises(ProblemsError, match=r"pool 'a' wants 1 .*pool 'b' wants 2"):
        resolve(asked, found)


def test_hosts_and_constraints_are_a_pools_own(small, request_for, pool):
    recipe = resolve(request_for(pool("a"), pool("b", os="rhel-9", size=2)), small)
    a, b = recipe.pools
    assert (a.name, a.size, a.hosts["kernel"], list(a.constraints)) == ("a", 4, {"minimum": "6.8"}, ["kernel"])
    assert (b.name, b.size, b.hosts["kernel"], list(b.constraints)) == ("b", 2, {"minimum": "5.14"}, [])
    assert a.hosts["containerd"] == b.hosts["containerd"] == {"cdi": True}
    assert recipe.artifacts["images"][1:] == ["registry.example/driver:rhel9", "registry.example/driver:ubuntu24.04"]
    assert [recipe.provenance[f"pools.{name}.hosts.kernel.minimum"].layer for name in "ab"] == [
        "os/ubuntu-24.04",
        "os/rhel-9",
    ]


def merges_for(count, small, monkeypatch, kinds=1):
    """How many writes are merged for a number of pools."""
    calls, apply = [], merge.Tree.apply

    def counted(self, write):
        calls.append(write)
        apply(self, write)

    monkeypatch.setattr(merge.Tree, "apply", counted)
    oses = ["ubuntu-24.04", "rhel-9"][:kinds]
    criteria = [{"accelerator": "h100", "os": os, "sharing": "dra"} for os in oses]
    pools = tuple(PoolRequest(f"p{at}", at, criteria[at % kinds], frozenset(criteria[0])) for at in range(count))
    cluster = {"service": "metal", "kubernetes": "1.36", "intent": "training", "framework": "none"}
    recipe = resolve(RecipeRequest(cluster, pools, frozenset(cluster)), small)
    assert len(recipe.pools) == count
    return len(calls), len(recipe.provenance)


def test_pools_of_one_kind_are_merged_once(small, monkeypatch):
    one, _ = merges_for(1, small, monkeypatch)
    assert merges_for(2000, small, monkeypatch)[0] == one
    assert merges_for(2000, small, monkeypatch, kinds=2)[0] < 2 * one


def test_2000_pools_have_2000_times_a_pools_origins(small, monkeypatch):
    (_, one), (_, two), (_, many) = (merges_for(count, small, monkeypatch) for count in (1, 2, 2000))
    assert many - one == 1999 * (two - one)


def test_kinds_of_pools_cost_their_own_number(layer, quiet, pool, monkeypatch):
    words = [f"g{at}" for at in range(200)]
    blocks = "".join(f"- {{when: {{accelerator: {word}}}, set: {{hosts: {{gpu: {word}}}}}}}\n" for word in words)
    found = [layer("accelerator/all", blocks, "pool")]
    calls, apply = [], merge.Tree.apply
    monkeypatch.setattr(merge.Tree, "apply", lambda self, write: (calls.append(write), apply(self, write)))
    recipe = resolve(quiet(*(pool(f"p-{word}", accelerator=word, stated=()) for word in words)), found)
    assert len(calls) == 200
    assert {one.hosts["gpu"] for one in recipe.pools} == set(words)


@settings(max_examples=40)
@given(st.data())
def test_the_order_of_pools_layers_and_keys_makes_no_difference(data):
    found = list(reader.read(Path(__file__).parent / "layers"))
    criteria = {"accelerator": "h100", "sharing": "dra", "architecture": "amd64"}
    pools = [
        PoolRequest(name, 1, {**criteria, "os": os}, frozenset({"os"}))
        for name, os in [("a", "rhel-9"), ("b", "ubuntu-24.04"), ("c", "rhel-9")]
    ]
    cluster = {"service": "metal", "kubernetes": "1.36", "intent": "training", "framework": "none"}
    overrides = {"gpu-operator": {"b": {"y": 1, "x": [2]}, "toolkit": {"env": []}}}
    first = resolve(RecipeRequest(cluster, tuple(pools), frozenset(cluster), overrides), found).to_json()

    def shuffled(mapping):
        keys = data.draw(st.permutations(list(mapping)))
        return {key: shuffled(mapping[key]) if isinstance(mapping[key], dict) else mapping[key] for key in keys}

    mixed = tuple(
        PoolRequest(pool.name, 1, shuffled(pool.criteria), pool.stated) for pool in data.draw(st.permutations(pools))
    )
    asked = RecipeRequest(shuffled(cluster), mixed, frozenset(cluster), shuffled(overrides))
    assert resolve(asked, data.draw(st.permutations(found))).to_json() == first
