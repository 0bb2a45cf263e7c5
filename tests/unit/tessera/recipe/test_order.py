"""Order of components."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera.errors import TesseraError
from tessera.recipe.order import order

NAMES = "abcdefgh"


@given(st.permutations(NAMES), st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))), st.randoms())
def test_each_stands_behind_those_it_comes_after_whatever_the_order_of_keys(line, pairs, random):
    after = {name: [b for a, b in pairs if a == name and line.index(b) < line.index(name)] for name in NAMES}
    found = order(after)
    assert sorted(found) == list(NAMES)
    assert all(found.index(before) < found.index(name) for name, befores in after.items() for before in befores)
    keys = list(after)
    random.shuffle(keys)
    assert order({key: after[key] for key in keys}) == found


def test_those_that_are_ready_stand_by_name():
    assert order({"c": [], "b": ["c"], "a": ["b"], "d": []}) == ["c", "b", "a", "d"]


@pytest.mark.parametrize(
    ("after", "path"),
    [
        pytest.param({"a": ["a"]}, "a after a", id="itself"),
        pytest.param({"b": ["c"], "c": ["a"], "a": ["b"]}, "a after b after c after a", id="three"),
        pytest.param({"a": ["b"], "b": ["c"], "c": ["b"]}, "b after c after b", id="someone waits for the cycle"),
    ],
)
def test_a_cycle_is_printed_as_a_path(after, path):
    with pytest.raises(TesseraError, match=f"a cycle in `after`: {path}; one of them must give way"):
        order(after)
