"""From components to releases: order, needs, levels, and all that is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera.errors import ProblemsError
from tessera.platform.plan import Settings, plan
from tessera.platform.source import Source
from tessera.recipe.resolved import Component

REPOSITORY = "https://charts.example.com/stable/"


def component(name, chart="kueue", version="0.19.2", namespace="one", repository=REPOSITORY, **more):
    return Component(name, chart, version, namespace, repository, **more)


def problems(components, settings=None):
    with pytest.raises(ProblemsError) as caught:
        plan(components, settings)
    return caught.value.problems


def test_release_needs_what_its_edges_name_and_not_all_that_stands_before_it():
    found = plan([component("c", after=("a",)), component("b"), component("a")])
    assert [one.name for one in found.releases] == ["a", "b", "c"]
    assert [one.needs for one in found.releases] == [(), (), ("a",)]


def test_namespace_gets_the_level_of_its_neediest_chart_and_system_namespaces_none():
    found = plan(
        [
            component("a", chart="cert-manager", version="v1.21.1", namespace="alone"),
            component("b", chart="cert-manager", version="v1.21.1", namespace="shared"),
            component("c", chart="gpu-operator", version="v26.7.0", namespace="shared"),
            component("d", chart="never-heard-of", version="1.0.0", namespace="other"),
            component("e", chart="metrics-server", version="3.13.1", namespace="kube-system"),
        ]
    )
    assert found.namespaces == {"alone": "restricted", "shared": "privileged", "other": "baseline"}


@pytest.mark.parametrize(
    ("repository", "wanted"),
    [
        pytest.param("https://charts.example.com/x/", Source("http", "https://charts.example.com/x"), id="http"),
        pytest.param("oci://r.example.com/charts", Source("oci", "oci://r.example.com/charts"), id="oci"),
        pytest.param("./charts", Source("folder", "./charts"), id="folder"),
        pytest.param("file:///srv/bundle", Source("folder", "/srv/bundle"), id="file"),
    ],
)
def test_source_is_what_the_repository_names(repository, wanted):
    assert plan([component("a", repository=repository)]).releases[0].source == wanted


def test_charts_of_the_site_stand_in_for_every_repository():
    found = plan([component("a"), component("b", repository=None)], Settings(charts="/srv/bundle"))
    assert {one.source for one in found.releases} == {Source("folder", "/srv/bundle")}


@pytest.mark.parametrize(
    ("components", "settings", "said"),
    [
        pytest.param([component("a"), component("a")], None, "component a: is there 2 times", id="twice"),
        pytest.param(
            [component("kueue"), component("b", after=("kueu",))],
            None,
            "component b: after: unknown component 'kueu' (did you mean 'kueue'?)",
            id="unknown after",
        ),
        pytest.param(
            [component("a", after=("b",)), component("b", after=("a",))], None, "a after b after a", id="cycle"
        ),
        pytest.param(
            [component("a", repository=None)], None, "component a: chart kueue has no repository", id="nowhere"
        ),
        pytest.param([component("K" * 54)], None, "names a Helm release: small letters", id="name"),
        pytest.param([component("a", version="latest")], None, "is no version; found 'latest'", id="no version"),
        pytest.param(
            [component("a", values={"grafana": {"password": "secret://grafna"}})],
            Settings(secrets=("grafana",)),
            "component a: values.grafana.password: unknown secret 'grafna' (did you mean 'grafana'?); "
            "allowed: grafana; `pulumi config set --secret --path tessera:secrets.grafna` makes it",
            id="unknown secret",
        ),
        pytest.param(
            [component("a", values={"imagePullSecrets": [{"name": "tessera-pull"}]})],
            None,
            "values name the pull secret tessera-pull, which this stack has not",
            id="no pull secret",
        ),
        pytest.param([component("a")], Settings(allow_major=("b",)), "allowMajor: unknown component 'b'", id="allow"),
        pytest.param(
            [component("a")],
            Settings(taken={component("a").namespace: "tenant t"}),
            "is that of tenant t too",
            id="taken namespace",
        ),
    ],
)
def test_wrong_platform_is_refused(components, settings, said):
    assert any(said in one for one in problems(components, settings)), problems(components, settings)


def test_one_cause_is_told_once_with_all_who_have_it():
    (line,) = problems([component(name) for name in "abcde"], Settings(taken={"one": "workload w"}))
    assert line.startswith("components a, b, c and 2 more: namespace 'one' is that of workload w too")


def test_all_problems_are_told_at_once():
    assert len(problems([component("a", repository=None, after=("x",)), component("b", version="1.x")])) == 3


@given(st.integers(1, 12).flatmap(lambda n: st.lists(st.tuples(st.integers(0, n), st.integers(0, n)), max_size=30)))
def test_each_release_stands_behind_those_that_it_needs(pairs):
    after = {max(pair): {min(pair)} for pair in pairs if pair[0] != pair[1]}
    names = {at for pair in pairs for at in pair}
    components = [component(f"c{at}", after=tuple(f"c{b}" for b in after.get(at, ()))) for at in names]
    seen = set()
    for one in plan(components).releases:
        assert set(one.needs) <= seen
        seen.add(one.name)
    assert len(seen) == len(names)
