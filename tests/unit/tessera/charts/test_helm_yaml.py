"""Words of YAML, as Helm takes them. tests/platform asks Helm itself the same."""

import pytest
import yaml

from tessera.charts.helm_yaml import load, load_all

WORDS = {
    "on": True,
    "On": True,
    "yes": True,
    "y": True,
    "Y": True,
    "true": True,
    "off": False,
    "NO": False,
    "n": False,
    "oN": "oN",
    "tRue": "tRue",
    '"on"': "on",
    "~": None,
    "Null": None,
    "nUll": "nUll",
    "=": "=",
    "2026-01-01": "2026-01-01",
    "2001-12-14t21:59:43.10-05:00": "2001-12-14t21:59:43.10-05:00",
    "1:30": "1:30",
    "017": 15,
    "-017": -15,
    "0o17": 15,
    "08": 8,
    "0x1F": 31,
    "0b11": 3,
    "0b2": "0b2",
    "1_000": 1000,
    "+_1": 1,
    "_1": "_1",
    "1e3": 1000,
    "1E-2": 0.01,
    "1.": 1,
    ".5": 0.5,
    "-.5": -0.5,
    "1.10": 1.1,
    "1.5.0": "1.5.0",
    "1e": "1e",
    "1e400": "1e400",
    "0x1p3": "0x1p3",
    ".": ".",
    "--one": "--one",
    "!!str 5": "5",
    "!!float 5": 5,
    "!!binary aGk=": "hi",
    "!!timestamp 2026-01-01": "2026-01-01",
    "[=, '!=', <<]": ["=", "!=", "<<"],
    "[!!set {a}]": [{"a": None}],
    "{<<: {a: 1}, b: 2}": {"a": 1, "b": 2},
    "{on: a, 1: b, 1.10: c, 017: d, 2026-01-01: e}": {"true": "a", "1": "b", "1.1": "c", "15": "d", "2026-01-01": "e"},
    "{a: 1, a: 2}": {"a": 2},
}
"""By text of a value, what it is; whole numbers too, which Helm makes floats."""

REFUSED = [".inf", "-.INF", ".nan", "{~: key}", "[1", "{[1]: a}"]


def strict(value):
    """1 and true, told apart."""
    return [type(value) is bool, value]


@pytest.mark.parametrize("said", WORDS)
def test_a_value_is_what_helm_takes_it_for(said):
    assert strict(load(f"a: {said}")["a"]) == strict(WORDS[said])


@pytest.mark.parametrize("said", [*REFUSED, "!!map b"])
def test_what_is_no_value_is_refused(said):
    with pytest.raises(yaml.YAMLError):
        load(f"a: {said}")


def test_each_document_is_read_alike():
    assert list(load_all("a: on\n---\nb: =\n")) == [{"a": True}, {"b": "="}]
