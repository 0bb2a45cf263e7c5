"""Merging: mappings merge, the rest replaces, null deletes, append adds; nothing is forgotten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera.recipe import canonical, provenance
from tessera.recipe.marked import mark
from tessera.recipe.merge import GONE, Tree
from tessera.recipe.writes import Origin, Write, writes

SCALARS = st.one_of(st.booleans(), st.integers(-3, 3), st.sampled_from(["x", "é", ""]), st.lists(st.integers(0, 3)))
KEYS = st.sampled_from(["a", "b", "c.d"])


def trees(leaf):
    """Trees whose keys at one level are leaves, at another mappings, so that any two have one shape."""
    return st.dictionaries(KEYS, leaf).flatmap(
        lambda level: st.dictionaries(st.sampled_from(["m", "n"]), st.dictionaries(KEYS, leaf, min_size=1)).map(
            lambda below: {**level, **below}
        )
    )


PLAIN = trees(SCALARS)
PATCHES = trees(st.one_of(SCALARS, st.none(), st.just({"append": [1, 7]}), st.just({})))


def of(tree, layer="l", pool=False):
    return (
        list(writes(mark(tree, {(): 1}), Write((), "set", None, Origin(layer, f"{layer}.yaml", 1), pool)))
        if tree
        else []
    )


def merged(*trees):
    tree = Tree(write for at, one in enumerate(trees) for write in of(one, f"l{at}"))
    value = tree.root.render()
    return ({} if value is GONE else value), tree


@pytest.mark.parametrize(
    ("layers", "value"),
    [
        pytest.param([{"a": {"b": 1}}, {"a": {"c": 2}}], {"a": {"b": 1, "c": 2}}, id="mappings merge"),
        pytest.param([{"a": [1, 2]}, {"a": [3]}], {"a": [3]}, id="lists replace"),
        pytest.param([{"a": [1]}, {"a": "x"}], {"a": "x"}, id="a scalar replaces a list"),
        pytest.param([{"a": 1, "b": 2}, {"a": None}], {"b": 2}, id="null deletes"),
        pytest.param([{"a": {"b": {"c": 1}}, "d": 1}, {"a": None}], {"d": 1}, id="null deletes a mapping"),
        pytest.param([{"a": {"b": 1}}, {"a": None}, {"a": {"c": 2}}], {"a": {"c": 2}}, id="set again after null"),
        pytest.param([{"a": {"b": 1}}, {"a": None}, {"a": 5}], {"a": 5}, id="another kind after null"),
        pytest.param([{"a": 5}, {"a": None}, {"a": {"b": 1}}], {"a": {"b": 1}}, id="a mapping after null"),
        pytest.param(
            [{"a": [1, 2]}, {"a": {"append": [2, 3, 3]}}], {"a": [1, 2, 3]}, id="append adds what is not there"
        ),
        pytest.param([{"a": {"append": [1]}}], {"a": [1]}, id="append to nothing"),
        pytest.param([{"a": [1]}, {"a": {"append": [True, 1.0]}}], {"a": [1, True, 1.0]}, id="1 is not true"),
        pytest.param([{"a": [9]}, {"a": None}, {"a": {"append": [1]}}], {"a": [1]}, id="append after null"),
        pytest.param([{"a": {"append": "x"}}], {"a": {"append": "x"}}, id="a key named append"),
        pytest.param([{"a": {}}], {"a": {}}, id="an empty mapping is a value"),
        pytest.param([{"a": {}}, {"a": {"b": 1}}], {"a": {"b": 1}}, id="an empty mapping takes keys"),
        pytest.param([{"a": {"b": 1}}, {"a": {}}], {"a": {"b": 1}}, id="an empty mapping takes nothing away"),
        pytest.param([{"a": {"value": 1, "because": "so"}}], {"a": 1}, id="a leaf with a reason"),
        pytest.param(
            [{"a": [1]}, {"a": {"value": {"append": [2]}, "because": "so"}}], {"a": [1, 2]}, id="append, with a reason"
        ),
        pytest.param([{"a": 1}, {"a": {"value": None, "because": "so"}}], {}, id="null, with a reason"),
        pytest.param([{"a": {"value": 1}}], {"a": {"value": 1}}, id="value alone is a key"),
    ],
)
def test_layers_merge(layers, value):
    found, tree = merged(*layers)
    assert canonical.same(found, value)
    assert tree.problems == []


@pytest.mark.parametrize(
    ("layers", "said"),
    [
        pytest.param(
            [{"a": 5}, {"a": {"b": 1}}], "l1.yaml:1: a: sets a mapping where l0.yaml:1 (l0) has 5; delete", id="mapping"
        ),
        pytest.param(
            [{"a": {"b": 1}}, {"a": 5}], "l1.yaml:1: a: sets 5 where l0.yaml:1 (l0) has a mapping;", id="scalar"
        ),
        pytest.param(
            [{"a": {}}, {"a": 5}], "l1.yaml:1: a: sets 5 where l0.yaml:1 (l0) has a mapping;", id="scalar for {}"
        ),
        pytest.param(
            [{"a": 5}, {"a": {}}], "l1.yaml:1: a: sets a mapping where l0.yaml:1 (l0) has 5;", id="{} for scalar"
        ),
        pytest.param(
            [{"a": 5}, {"a": {"append": [1]}}],
            "l1.yaml:1: a: sets {append: [1]} where l0.yaml:1 (l0) has 5;",
            id="append",
        ),
        pytest.param(
            [{"a": {"b": {"c": 1}}}, {"a": [1]}], "l1.yaml:1: a: sets [1] where l0.yaml:1 (l0) has a mapping", id="deep"
        ),
    ],
)
def test_two_kinds_of_value_name_both_places(layers, said):
    (problem,) = merged(*layers)[1].problems
    assert problem.startswith(said)


@given(PLAIN, PLAIN, PLAIN)
def test_two_layers_might_as_well_be_one(a, b, c):
    assert canonical.same(merged(a, b, c)[0], merged(a, merged(b, c)[0])[0])
    assert canonical.same(merged(a, b, c)[0], merged(merged(a, b)[0], c)[0])


@given(PATCHES)
def test_merging_twice_changes_nothing(tree):
    assert canonical.same(merged(tree)[0], merged(tree, tree)[0])


def leaf_paths(value, path=()):
    if isinstance(value, dict) and value:
        return {found for key, inner in value.items() for found in leaf_paths(inner, (*path, key))}
    return {path} if path else set()


@given(st.lists(PATCHES, max_size=4))
def test_every_leaf_has_one_origin_and_nothing_else_has(layers):
    value, tree = merged(*layers)
    where = [path for path, _ in provenance.leaves(tree.root)]
    assert sorted(where) == sorted(leaf_paths(value))
    gone = {path for path, _ in provenance.deleted(tree.root)}
    assert not gone & set(where)


@given(st.lists(PLAIN, max_size=4))
def test_a_leaf_remembers_all_that_it_was_oldest_first(layers):
    for path, found in provenance.leaves(merged(*layers)[1].root):
        values = [at for at, tree in enumerate(layers) if path in leaf_paths(tree)]
        assert [one.layer for one in (*found.replaced, found)] == [f"l{at}" for at in values]
