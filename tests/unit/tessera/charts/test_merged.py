"""Values over defaults, from the files of a chart and from what is recorded of it."""

import pytest

from tessera.charts.merged import defaults, is_on, merged, over
from tessera.charts.parts import chart
from tessera.charts.tree import Subchart

from .conftest import files


@pytest.mark.parametrize(
    ("under", "values", "found"),
    [
        pytest.param({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}, {"a": {"b": 3, "c": 2}}, id="mappings merge"),
        pytest.param({"a": [1, 2]}, {"a": [3]}, {"a": [3]}, id="lists are replaced"),
        pytest.param({"a": {"b": 1, "c": 2}}, {"a": {"b": None}}, {"a": {"c": 2}}, id="null takes a default away"),
        pytest.param({"a": {"b": 1}}, {"a": 2}, {"a": 2}, id="a value replaces a mapping"),
        pytest.param({"a": 1}, {"a": {"b": {"c": None}}}, {"a": {"b": {}}}, id="a mapping replaces a value"),
    ],
)
def test_values_come_over_defaults(under, values, found):
    before = repr(under)
    assert over(under, values) == found
    assert repr(under) == before


def test_a_charts_values_come_over_those_of_the_charts_inside():
    found = defaults(chart(files(), ()))
    assert found["worker"] == {
        "active": True,
        "size": 3,
        "unheard": 1,
        "color": "red",
        "global": {"region": "north"},
    }
    assert found["remote"] == {}


def test_what_is_recorded_merges_alike(small):
    own, told = defaults(chart(files(), ())), merged(small, {"replicas": 2, "worker": {"color": None}})
    assert (told["replicas"], told["worker"]["size"]) == (2, own["worker"]["size"])
    assert "color" not in told["worker"]
    assert merged(small, {})["worker"]["color"] == "red"


@pytest.mark.parametrize(
    ("values", "on"),
    [
        pytest.param({}, True, id="nothing said"),
        pytest.param({"part": {"on": False}}, False, id="the only one that exists"),
        pytest.param({"first": True, "part": {"on": False}}, True, id="the first one"),
        pytest.param({"first": "yes", "part": {"on": False}}, False, id="text is no condition"),
    ],
)
def test_the_first_condition_that_exists_switches_a_chart(values, on):
    assert is_on(Subchart("part", "1", "part", ("first", "part.on")), values) is on
