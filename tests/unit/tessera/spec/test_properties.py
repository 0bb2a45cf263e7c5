"""What holds for every stack file, right or wrong."""

import json
import random
import re
import sys
import tempfile
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.errors import ProblemsError, TesseraError
from tessera.hardware import boards
from tessera.spec.stack import KEYS, read_file, stack

NAMES = st.from_regex(r"[a-z]([-a-z0-9]{0,30}[a-z0-9])?", fullmatch=True)  # PyYAML writes "08" so that it is a number
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
WORDS = st.sampled_from(
    [
        "name",
        "board",
        "size",
        "service",
        "lab",
        "eks",
        "hosts",
        "sharing",
        "mig",
        "profiles",
        "layout",
        "gpus",
        "time-slicing",
        "replicas",
        "quota",
        "class",
        "hgx-h100",
    ]
)
NEAR_JUNK = st.recursive(
    JUNK | WORDS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5), max_leaves=20
)
POOLS = st.lists(
    st.fixed_dictionaries(
        {"name": NAMES, "board": st.sampled_from(boards.names()), "size": st.integers(0, 5000)},
        optional={
            "labels": st.dictionaries(NAMES, NAMES, max_size=3),
            "sharing": st.sampled_from(["dra", "none", {"mps": {"replicas": 4}}, {"time-slicing": {"replicas": 2}}]),
        },
    ).map(lambda pool: {key: row for key, row in pool.items() if key != "sharing" or "tray" not in pool["board"]}),
    max_size=6,
    unique_by=lambda pool: pool["name"],
)
STACKS = st.fixed_dictionaries(
    {"cluster": st.just({"service": "lab"}), "pools": POOLS},
    optional={
        "tenants": st.lists(
            st.fixed_dictionaries({"name": NAMES, "groups": st.lists(NAMES, min_size=1, max_size=2)}),
            max_size=3,
            unique_by=lambda tenant: tenant["name"],
        ),
        "overrides": st.dictionaries(NAMES, st.dictionaries(NAMES, st.integers(0, 9) | NAMES.map(lambda n: f"v{n}"))),
    },
)


def written(values, **style):
    return yaml.safe_dump({"config": {f"tessera:{key}": value for key, value in values.items()}}, **style)


def sentences(action):
    """What an action refuses with, a line a problem; None where it does not."""
    try:
        action()
    except TesseraError as error:
        assert "Traceback" not in str(error)  # noqa: PT017 - refusing is one of two right answers
        return str(error).split("\n")
    return None


def read_text(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
        return read_file(path)


@given(st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=10), NEAR_JUNK, max_size=6))
def test_whatever_the_values_are_the_answer_is_a_stack_or_sentences(values):
    told = sentences(lambda: stack(values))
    assert told is None or told
    assert all(re.match(r"tessera:", line) for line in told or ())


@given(st.binary(max_size=200) | st.text(max_size=200) | NEAR_JUNK.map(lambda junk: json.dumps({"config": junk})))
def test_whatever_the_file_is_the_answer_is_a_stack_or_sentences_with_the_file(text):
    told = sentences(lambda: read_text(text))
    assert all("s.yaml" in line for line in told or ())


@given(STACKS)
def test_a_right_stack_is_the_same_from_values_and_from_any_way_to_write_it(values):
    straight = stack(values)
    assert read_text(written(values)) == straight
    assert read_text(written(values, default_flow_style=True)) == straight
    assert read_text(json.dumps({"config": {f"tessera:{key}": value for key, value in values.items()}})) == straight


@given(STACKS.filter(lambda values: values["pools"]), st.randoms(use_true_random=False))
def test_a_mistake_in_any_pool_is_told_with_the_line_it_is_written_in(values, chance):
    at = chance.randrange(len(values["pools"]))
    key, wrong = chance.choice([("size", -77), ("board", "hgx-h10"), ("sharing", "shared"), ("colour", "red")])
    values["pools"][at] = {**values["pools"][at], key: wrong}
    text = written(values)
    marked = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if re.fullmatch(rf"[- ]*{key}: {re.escape(str(wrong))}", line)
    ]
    with pytest.raises(ProblemsError) as refusal:
        read_text(text)
    (said,) = refusal.value.problems
    assert re.search(rf"s\.yaml:{marked[0]}: tessera:pools\[{at}\]\.{key}: ", said)


@given(STACKS, st.sets(st.sampled_from(["cluster", "pools"]), min_size=1))
def test_what_must_be_there_is_missed_each_by_itself(values, left_out):
    with pytest.raises(ProblemsError) as refusal:
        stack({key: value for key, value in values.items() if key not in left_out})
    assert {line.split(":")[1] for line in refusal.value.problems if ": missing" in line} >= left_out


@settings(max_examples=20)
@given(STACKS)
def test_the_order_of_keys_changes_nothing(values):
    keys = list(values)
    random.Random(0).shuffle(keys)
    assert stack({key: values[key] for key in keys}) == stack(values)


def calls(action):
    """How many Python functions an action calls."""
    count = 0

    def counted(_frame, event, _argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(counted)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("size", [1, -1], ids=["right", "wrong"])
def test_work_grows_with_the_count_of_pools_and_no_faster(tmp_path, size):
    def read(count):
        pools = "".join(f"    - {{name: p{at}, board: hgx-h100, size: {size}}}\n" for at in range(count))
        path = tmp_path / f"{count}.yaml"
        path.write_text(f"config:\n  tessera:cluster: {{service: lab}}\n  tessera:pools:\n{pools}")
        told = sentences(lambda: read_file(path))
        assert (len(told) if size < 0 else told) == (count if size < 0 else None)

    read(1)  # tables are read once
    few, many = calls(lambda: read(500)), calls(lambda: read(2000))
    assert many < 4.2 * few


def test_ten_thousand_pools_are_read(tmp_path):
    pools = [{"name": f"p{at}", "board": "hgx-h100", "size": 0} for at in range(10**4)]
    assert len(stack({"cluster": {"service": "lab"}, "pools": pools}).pools) == 10**4
