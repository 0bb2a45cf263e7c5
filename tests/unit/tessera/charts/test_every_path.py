"""Every recorded path: a value of its kind passes, and one wrong letter is told with the right word beside it."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tessera.charts import keys, vet
from tessera.charts.known import known, versions
from tests.unit.tessera.charts.conftest import Installed

ALL = [
    (chart, version) for chart, found in versions().items() for version in found if known(chart, version).tree.values
]
EVERY = [(one, path) for one in (known(*named) for named in ALL) for path in sorted(one.tree.values)]
LETTERS = "abcdefghijklmnopqrstuvwxyz"

VALUES = {
    "string": st.text(max_size=8),
    "int": st.integers(),
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "bool": st.booleans(),
    "list": st.lists(st.none(), max_size=2),
    "map": st.just({}),
    "any": st.just(7),
    "null": st.none(),
}


def nested(path, value):
    for key in reversed(path):
        value = {key: value}
    return value


@st.composite
def slips(draw):
    """Of a path its place in EVERY, and it with one letter of one key added, dropped, changed or swapped."""
    chosen = draw(st.integers(0, len(EVERY) - 1))
    path = EVERY[chosen][1]
    at = draw(st.integers(0, len(path) - 1))
    key = path[at]
    place = draw(st.integers(0, len(key) - 1))
    letter = draw(st.sampled_from(LETTERS))
    changed = draw(
        st.sampled_from(
            [
                key[:place] + letter + key[place:],
                key[:place] + key[place + 1 :],
                key[:place] + letter + key[place + 1 :],
                key[:place] + key[place + 1 : place + 2] + key[place : place + 1] + key[place + 2 :],
            ]
        )
    )
    return chosen, at, (*path[:at], changed, *path[at + 1 :])


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_value_of_its_kind_passes(data):
    one, path = EVERY[data.draw(st.integers(0, len(EVERY) - 1))]
    assume(path not in one.dead and not any(path[:depth] in one.dead for depth in range(len(path))))
    kind = data.draw(st.sampled_from(one.tree.values[path].kind.split("|")))
    enum = one.tree.values[path].enum
    value = data.draw(st.sampled_from(enum) if enum else VALUES[kind])
    assert list(vet.paths(nested(path, value), one)) == []


@given(slips())
@settings(max_examples=500, deadline=None)
def test_a_wrong_letter_is_told_with_the_right_key(slip):
    place, at, wrong = slip
    one, path = EVERY[place]
    known_, here = one.tree.known | one.dead, wrong[: at + 1]
    assume(wrong != path and wrong[at] and here not in known_ and here not in one.tree.inner)
    assume(not any(dead[: at + 1] in (here, path[: at + 1]) for dead in one.dead))
    free = one.tree.open | one.tree.passthrough | one.tree.template_only
    leaves = {known_path for known_path, value in one.tree.values.items() if value.kind in ("null", "any")}
    assume(not any(path[:depth] in free | leaves for depth in range(1, at + 1)))
    assume(not any((sub.key,) == path[:1] and not sub.recorded for sub in one.tree.subcharts))
    found = list(vet.paths(nested(wrong, None), one))
    assert [(problem.kind, problem.path) for problem in found] == [("unknown", here)]
    beside = one.tree.inner[path[:at]]
    rivals = [key for key in beside if keys.distance(wrong[at], key) <= 1]
    if len(path[at]) > 2 and len(rivals) <= 3:
        assert repr(keys.join(path[: at + 1])) in found[0].text


@pytest.mark.parametrize("named", ALL, ids=[f"{chart}-{version}" for chart, version in ALL])
def test_every_default_may_be_written_out(named):
    """Whoever copies values.yaml into a layer is told nothing but what does nothing."""
    one = known(*named)
    values = [nested(path, value.default) for path, value in one.tree.values.items() if value.default is not None]
    found = [problem for said in values for problem in vet.paths(said, one)]
    assert {problem.kind for problem in found} <= {"unread", "renamed", "removed"}, found


def test_all_components_at_once_have_what_each_has(chart):
    assert vet.problems(Installed({}), chart) == []
