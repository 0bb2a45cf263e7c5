"""The difference of two recipes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera.recipe import canonical
from tessera.recipe.diff import diff
from tessera.recipe.resolve import resolve
from tessera.recipe.resolved import Component, Pool, ResolvedRecipe


def recipe(components=(), pools=(), constraints=(), artifacts=(), control_plane=(), **criteria):
    fetched = {"charts": {}, **dict(artifacts)}
    parts = (tuple(pools), tuple(components), dict(control_plane), dict(constraints), fetched)
    return ResolvedRecipe(criteria, *parts, {}, {})


def component(name="gpu-operator", version="v1", after=(), **values):
    return Component(name, name, version, "gpu", values=values, after=after)


def pool(name="h100", size=4, os="rhel-9", **hosts):
    return Pool(name, size, {"os": os}, hosts, {})


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        pytest.param(
            recipe(),
            recipe([component()]),
            ["component gpu-operator added: gpu-operator v1 in namespace gpu"],
            id="added",
        ),
        pytest.param(
            recipe([component()]),
            recipe(),
            ["component gpu-operator removed: gpu-operator v1 in namespace gpu"],
            id="removed",
        ),
        pytest.param(
            recipe([component()]),
            recipe([component(version="v2")]),
            ["component gpu-operator: version v1 -> v2"],
            id="version",
        ),
        pytest.param(
            recipe([component(driver={"enabled": True, "a": {"b.c": 1}})]),
            recipe([component(driver={"enabled": False}, more=[1])]),
            [
                'component gpu-operator: values.driver.a["b.c"] 1 -> none',
                "component gpu-operator: values.driver.enabled true -> false",
                "component gpu-operator: values.more none -> [1]",
            ],
            id="values",
        ),
        pytest.param(
            recipe([component("a"), component("b")]),
            recipe([component("b"), component("a", after=("b",))]),
            ['component a: after [] -> ["b"]', "order of components: a, b -> b, a"],
            id="order",
        ),
        pytest.param(
            recipe(pools=[pool(driver={"version": "580.159.03"}), pool("cpu", 1, kernel={"minimum": "6.8"})]),
            recipe(pools=[pool(driver={"version": "595.91.07"}), pool("cpu", 1, kernel={"minimum": "6.11"})]),
            [
                "on 1 node of pool cpu: kernel.minimum 6.8 -> 6.11",
                "on 4 nodes of pool h100: driver 580.159.03 -> 595.91.07",
            ],
            id="hosts",
        ),
        pytest.param(
            recipe(pools=[pool(), pool("a")]),
            recipe(pools=[pool(size=6, os="rhel-10"), pool("b", 1)]),
            [
                "pool a removed: 4 nodes",
                "pool b added: 1 node",
                "pool h100: 4 -> 6 nodes",
                "pool h100: os rhel-9 -> rhel-10",
            ],
            id="pools",
        ),
        pytest.param(
            recipe(kubernetes="1.36", constraints={"k": {"at least": "6.8"}}, artifacts={"images": ["a"]}),
            recipe(kubernetes="1.37", constraints={"k": {"at least": "6.11"}}, artifacts={"images": ["a", "b"]}),
            [
                "cluster: kubernetes 1.36 -> 1.37",
                "constraint k.at least 6.8 -> 6.11",
                'to fetch: images ["a"] -> ["a","b"]',
            ],
            id="cluster",
        ),
    ],
)
def test_a_change_is_told_as_people_read_it(old, new, lines):
    assert [change.text for change in diff(old, new)] == lines


def test_a_change_of_hosts_names_pool_and_nodes():
    (found,) = diff(recipe(pools=[pool(driver={"version": "1"})]), recipe(pools=[pool(driver={"version": "2"})]))
    assert (found.path, found.before, found.after, found.pool, found.nodes) == (
        *("pools.h100.hosts.driver.version", "1", "2"),
        *("h100", 4),
    )


def test_a_stack_that_did_not_change_has_no_difference(small, request_for):
    assert diff(resolve(request_for(), small), resolve(request_for(), small)) == []


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(0, 1), st.just(1.0), st.just("1"), st.lists(st.integers(0, 1), max_size=1)
    ),
    lambda inner: st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=5,
)
HOSTS = st.dictionaries(st.sampled_from("ab"), VALUES, max_size=2)


@given(HOSTS, HOSTS)
def test_there_is_a_difference_if_and_only_if_the_digests_differ(left, right):
    old, new = (recipe([component(**values)], [pool(**values)]) for values in (left, right))
    changes = diff(old, new)
    assert bool(changes) == (old.digest != new.digest) == (canonical.text(left) != canonical.text(right))
    assert [(one.after, one.before) for one in changes] == [(one.before, one.after) for one in diff(new, old)]
