"""What the API server refuses when a selector is created is refused here, and what is not known here is said to be."""

import pytest

from tessera.dra import cel
from tessera.dra.classes import names, service_class
from tessera.dra.selectors import selector

M, Q = 'device.attributes["gpu.nvidia.com"]', 'device.capacity["gpu.nvidia.com"].memory'
DEVICE = {"attributes": {"name": {"string": "H100"}}, "capacity": {"memory": {"value": "80Gi"}}}


@pytest.mark.parametrize("name", names())
def test_the_catalogues_selectors_compile(name):
    assert cel.check(selector(service_class(name).requires)) == []


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param(f'{Q} >= quantity("24G")', id="quantities have no operators"),
        pytest.param(f"{Q} >= 24", id="nor with a number"),
        pytest.param(f"{Q} == 24", id="nor are they equal to one"),
        pytest.param(f'{Q}.compareTo(semver("8.9.0")) == 0', id="quantity with version"),
        pytest.param(Q, id="a quantity is no bool"),
        pytest.param("device.driver", id="a text is no bool"),
        pytest.param("dyn(true)", id="dyn is no bool"),
        pytest.param(f"{M}", id="a map is no bool"),
        pytest.param('device.name == "x"', id="no such part"),
        pytest.param(f"{M}.list.exists(one, one == 1)", id="an attribute is no list"),
        pytest.param('["a", 1].size() == 2', id="list of two types"),
        pytest.param(f"1 in [1, {M}.i]", id="list of int and attribute"),
        pytest.param('{"a": 1, "b": "x"}.size() == 2', id="map of two types"),
        pytest.param(f'{M}.name.matches("(")', id="broken regular expression"),
        pytest.param(f'{M}.name.find("(?=a)") == ""', id="a look ahead, which RE2 has not"),
        pytest.param('int("1.5") == 1', id="a constant that can't be converted"),
        pytest.param(f"{M}.`name` == 1", id="quoted field"),
        pytest.param(f'{M}.name = "x"', id="assignment"),
        pytest.param(f"math.greatest({M}.i, 1) == 1", id="function of another library"),
        pytest.param(f'{M}.name.quote() == ""', id="method of another version"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_the_api_server_refuses_is_refused(expression):
    problems = cel.check(expression)
    assert problems
    assert not problems[0].startswith(cel.NOT_KNOWN)
    assert cel.evaluate(expression, DEVICE, "gpu.nvidia.com") == problems[0]


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        pytest.param('ip("10.0.0.1") == ip("10.0.0.2")', "ip", id="addresses"),
        pytest.param('duration("1s") < duration("2s")', "duration", id="times"),
        pytest.param('"%d".format([1]) == "1"', "format", id="format"),
        pytest.param("sets.contains([1], [1])", "sets", id="sets"),
        pytest.param("[1, 2].all(i, one, i < one)", "all", id="two variables"),
        pytest.param("1 < 1.5", "convert", id="int and double"),
        pytest.param("device == device", "the device as a whole", id="whole device"),
        pytest.param("has(device.driver)", "the device as a whole", id="presence of a part"),
        pytest.param(f'{M}.name.matches("[[:alpha:]]")', "regular expression", id="only RE2"),
        pytest.param(f"{M}.name.matches({M}.name)", "no constant", id="pattern of a device"),
    ],
)
def test_what_this_engine_can_not_judge_is_said_to_be_unknown(expression, named):
    assert cel.check(expression)[0].startswith(cel.NOT_KNOWN)
    assert named in cel.check(expression)[0]
    assert isinstance(cel.evaluate(expression, DEVICE, "gpu.nvidia.com"), str)


def test_an_expression_of_more_than_ten_kibibytes_is_refused():
    assert cel.check("true" + " " * (10 * 1024 - 4)) == []
    assert cel.check("true" + " " * (10 * 1024 - 3)) == ["too long: 10241 bytes; at most 10240"]
