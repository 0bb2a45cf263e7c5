"""Walking a path of keys."""

import pytest

from tessera.charts.keys import at

TREE = {"a": {"b": {"c": 1, "off": False, "none": None, "empty": {}}, "x.y": 2}, "list": [{"a": 1}]}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        pytest.param("a.b.c", 1, id="text"),
        pytest.param(("a", "b", "c"), 1, id="keys"),
        pytest.param("a.x\\.y", 2, id="a dot inside a key"),
        pytest.param(("a", "x.y"), 2, id="a dot inside a key of keys"),
        pytest.param("a.b.off", False, id="false is a value"),
        pytest.param("a.b.empty", {}, id="an empty mapping too"),
        pytest.param("a.b.none", "default", id="null"),
        pytest.param("a.b.c.d", "default", id="below a value"),
        pytest.param("list.0.a", "default", id="lists are not walked"),
        pytest.param("", TREE, id="no path"),
    ],
)
def test_a_path_leads_to_its_value_or_to_the_default(path, value):
    assert at(TREE, path, "default") == value
