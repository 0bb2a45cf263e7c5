"""Thousands of rows as a few: nothing is lost, and counts add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera.dra.overview import by_class, by_reason, compressed, grouped, named, single, states
from tessera.dra.rows import STATES, WAITING, Device, Filter, Row, changes

NAMES = st.sampled_from(["a", "b", "c"])


def row(number, namespace="ai", workload="w", device_class="big", state="in use", why="", devices=()):
    pod = f"{workload}-{number}"
    return Row(
        f"{namespace}/{number}", namespace, f"c{number}", (pod,), workload, device_class, state, "", why, devices
    )


@st.composite
def rows(draw):
    made = draw(st.lists(st.tuples(NAMES, NAMES, NAMES, st.sampled_from(STATES), NAMES), max_size=40))
    return [row(number, *values) for number, values in enumerate(made)]


@given(rows())
def test_grouping_loses_no_claim_and_counts_each_once(found):
    groups = grouped(found)
    assert sorted(one.key for group in groups for one in group.rows) == sorted(one.key for one in found)
    assert sum(group.count for group in groups) == sum(states(found).values()) == len(found)
    assert sum(total.claims for total in by_class(found)) == len(found)
    assert sum(total.count for total in by_reason(found)) == sum(one.state in WAITING for one in found)


@given(rows())
def test_grouped_or_single_what_needs_a_look_comes_first(found):
    for groups in (grouped(found), single(found)):
        places = [STATES.index(group.rows[0].state) for group in groups]
        assert places == sorted(places)


def test_equal_rows_of_a_workload_become_one():
    (group,) = grouped([row(number, state="waiting", why="full") for number in range(400)])
    assert (group.pod, group.count) == ("ai/w x 400", 400)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        pytest.param([f"gpu-{number}" for number in range(8)], "gpu-0..7", id="a board"),
        pytest.param(["gpu-3", "gpu-0", "gpu-1", "nic-2"], "gpu-0..1, gpu-3, nic-2", id="holes and kinds"),
        pytest.param(["channel-0"], "channel-0", id="one"),
        pytest.param([], "", id="none"),
    ],
)
def test_names_of_devices_are_compressed(names, text):
    assert compressed(names) == text


def test_mig_devices_are_counted_by_profile_and_parent():
    cut = [Device("gpu", "d", "n", f"gpu-0-mig-{start}", profile="1g.24gb", parent="gpu-0") for start in (0, 3, 6)]
    assert named(cut) == "3 x 1g.24gb of gpu-0"


def test_the_alternative_that_was_taken_is_told():
    assert named([Device("gpu/large", "d", "n", "gpu-3")]) == "gpu-3 (gpu/large)"


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        (Filter(), 3),
        (Filter(namespace="ai"), 2),
        (Filter(device_class="big"), 2),
        (Filter(waiting=True), 1),
        (Filter(pod="w-1"), 1),
        (Filter(pod="other/w-2"), 1),
    ],
    ids=["nothing asked", "namespace", "class", "waiting", "pod", "namespace and pod"],
)
def test_filters_keep_what_was_asked_for(keep, kept):
    found = [row(0), row(1, state="waiting"), row(2, namespace="other", device_class="small")]
    assert sum(keep.keeps(one) for one in found) == kept


def test_a_change_of_state_is_told_and_one_of_words_is_not():
    before, after = row(0, state="waiting", why="a"), row(0, state="waiting", why="b")
    assert changes([before], [after]) == []
    (change,) = changes([before], [row(0)])
    assert (change.before.state, change.after.state) == ("waiting", "in use")
    assert [one.after for one in changes([before], [])] == [None]
