"""Why a value is what it is."""

import pytest

from tessera.errors import TesseraError
from tessera.recipe.resolve import resolve
from tessera.recipe.why import why


@pytest.fixture
def recipe(small, request_for):
    return resolve(request_for(), small)


def test_a_leaf_tells_its_chain(recipe):
    (found,) = why(recipe, "components.gpu-operator.values.driver.enabled")
    assert (found.value, found.deleted) == (False, False)
    assert (found.provenance.layer, found.provenance.because) == ("service/metal", "our roles install what hosts need")
    assert found.provenance.place == "recipe/layers/service/metal.yaml:12"
    assert [(one.layer, one.value, one.place) for one in found.provenance.replaced] == [
        ("base/platform", True, "recipe/layers/base/platform.yaml:21")
    ]


def test_a_list_that_was_added_to_tells_each_addition(recipe):
    (found,) = why(recipe, "pools.h100.hosts.packages")
    assert found.value == ["fabric-manager", "linux-headers-generic"]
    assert [(one.layer, one.value) for one in found.provenance.replaced] == [("accelerator/h100", ["fabric-manager"])]


def test_a_path_above_tells_all_leaves_below_it_and_the_deleted_ones(recipe):
    found = why(recipe, "components.gpu-operator.values")
    assert [(one.path.removeprefix("components.gpu-operator.values."), one.value) for one in found] == [
        ("devicePlugin.enabled", False),
        ("driver.enabled", False),
        ('operator.annotations["example.com/owner"]', "platform"),
        ("operator.volume.emptyDir", {}),
        ("toolkit.enabled", None),
    ]
    assert [one.path for one in found if one.deleted] == ["components.gpu-operator.values.toolkit.enabled"]


def test_a_deleted_path_tells_who_deleted_what(recipe):
    (found,) = why(recipe, "components.gpu-operator.values.toolkit")
    assert (found.deleted, found.value, found.provenance.layer) == (True, None, "service/metal")
    assert [one.value for one in found.provenance.replaced] == [True]


def test_a_key_in_quotes_is_found(recipe):
    (found,) = why(recipe, 'components.gpu-operator.values.operator.annotations["example.com/owner"]')
    assert found.value == "platform"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        pytest.param("component", "unknown path 'component' (did you mean 'components'?)", id="section"),
        pytest.param("pools.h100.host.kernel", "did you mean 'pools.h100.hosts'?", id="a key"),
        pytest.param(
            "components.gpu-operator.values.drivr.enabled",
            "did you mean 'components.gpu-operator.values.driver'?",
            id="a value",
        ),
        pytest.param("constraints.kubernetes.severity", "no layer sets it; this is the default", id="default"),
        pytest.param("a]b", "unknown path 'a]b'", id="no path"),
    ],
)
def test_a_path_that_nobody_set_is_refused_with_the_nearest(recipe, path, said):
    with pytest.raises(TesseraError) as told:
        why(recipe, path)
    assert said in str(told.value)
