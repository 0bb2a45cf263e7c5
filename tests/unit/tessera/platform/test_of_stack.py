"""What a stack file says of the platform."""

import pytest

from tessera.platform.of_stack import settings
from tessera.platform.plan import Settings
from tessera.spec.secret import Secret
from tessera.spec.stack import stack

PLAIN = {"cluster": {"service": "lab"}, "pools": []}


def of(**more):
    return settings(stack(PLAIN | more))


def test_a_stack_that_says_nothing_takes_charts_and_images_from_their_own_places():
    assert of() == Settings()


@pytest.mark.parametrize(("rewrite", "mirror"), [(False, None), (True, "mirror.example:5000/t")])
def test_values_name_the_mirror_only_where_the_site_asks_for_it(rewrite, mirror):
    assert of(site={"mirror": "mirror.example:5000/t", "rewrite": rewrite}).mirror == mirror


@pytest.mark.parametrize("charts", ["https://charts.example/stable", "oci://mirror.example:5000/charts", "../bundle"])
def test_one_place_may_have_all_charts(charts):
    assert of(site={"charts": charts}).charts == charts


def test_secrets_are_known_by_name_alone():
    found = of(secrets={"grafana": Secret("x", "hunter2")}, site={"pullSecret": Secret("y", "hunter2")})
    assert (found.secrets, found.has_pull_secret, "hunter2" in repr(found)) == (("grafana",), True, False)


def test_namespaces_of_tenants_and_workloads_are_taken():
    workload = {"name": "w", "namespace": "b", "replicas": 1, "image": "i", "class": "gpu-training-single"}
    found = of(
        pools=[{"name": "h", "board": "hgx-h100", "size": 1}],
        classes=["gpu-training-single"],
        tenants=[{"name": "a", "groups": ["g"]}],
        workloads=[workload],
    )
    assert found.taken == {"a": "tenant a", "b": "workload w"}
