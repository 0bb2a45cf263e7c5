"""Versions are read and ordered as semver.org says, and normalized as Kubernetes does."""

from functools import cmp_to_key

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.semver import parse
from tessera.errors import TesseraError

NUMBERS = st.integers(0, 12)
IDENTIFIERS = st.sampled_from(["alpha", "beta", "rc", "1", "2", "10", "a-b", "X", "0"])
VERSIONS = st.tuples(NUMBERS, NUMBERS, NUMBERS, st.lists(IDENTIFIERS, max_size=3))
PRECEDENCE = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
              "1.0.0-rc.1", "1.0.0", "2.0.0", "2.1.0", "2.1.1", "10.0.0"]  # fmt: skip


def text(version):
    *numbers, before = version
    return ".".join(map(str, numbers)) + (f"-{'.'.join(before)}" if before else "")


def compared(left, right):
    """Point 11 of semver.org, word by word."""
    if left[:3] != right[:3]:
        return -1 if left[:3] < right[:3] else 1
    if not left[3] or not right[3]:
        return bool(right[3]) - bool(left[3]) if bool(left[3]) != bool(right[3]) else 0
    for one, other in zip(left[3], right[3], strict=False):
        if one.isdigit() != other.isdigit():
            return -1 if one.isdigit() else 1
        if one != other:
            return -1 if (int(one) < int(other) if one.isdigit() else one < other) else 1
    return (len(left[3]) > len(right[3])) - (len(left[3]) < len(right[3]))


def test_the_specifications_own_example_is_in_order():
    assert sorted(sorted(PRECEDENCE), key=parse) == PRECEDENCE


@given(st.lists(VERSIONS, max_size=6))
@settings(max_examples=150)
def test_versions_sort_as_by_the_words_of_the_specification(versions):
    expected = [text(one) for one in sorted(versions, key=cmp_to_key(compared))]
    assert [str_of(one) for one in sorted(map(parse, map(text, versions)))] == expected


def str_of(version):
    return text((version.major, version.minor, version.patch, list(version.prerelease)))


def test_a_build_makes_no_difference():
    assert parse("8.9.0+b1") == parse("8.9.0+b2") == parse("8.9.0")
    assert hash(parse("8.9.0+b1")) == hash(parse("8.9.0"))


@pytest.mark.parametrize(
    "wrong",
    ["", "8", "8.9", "v8.9.0", "8.9.0.1", "08.9.0", "8.9.0-", "8.9.0-01", "8.9.0-a..b", "8.9.0+", "8.9.0-é", " 8.9.0",
     "8.9.x", "-1.0.0", "18446744073709551616.0.0", "8.9.0\n"],
)  # fmt: skip
def test_what_is_no_version_is_refused(wrong):
    with pytest.raises(TesseraError, match="is no version"):
        parse(wrong)


@pytest.mark.parametrize(
    ("loose", "strict"),
    [
        pytest.param("v8.9.0", "8.9.0", id="leading v"),
        pytest.param("8", "8.0.0", id="one number"),
        pytest.param("v8.9", "8.9.0", id="two numbers"),
        pytest.param("08.09.00", "8.9.0", id="leading zeros"),
        pytest.param("8.9.0-rc.1", "8.9.0-rc.1", id="nothing to do"),
    ],
)
def test_a_loose_version_is_normalized_on_request(loose, strict):
    assert parse(loose, normalize=True) == parse(strict)


@pytest.mark.parametrize("wrong", ["8.9-rc.1", "8+b1", "vv8.9.0", "8.9.0-01", "", "x"])
def test_not_everything_can_be_normalized(wrong):
    with pytest.raises(TesseraError, match="is no version"):
        parse(wrong, normalize=True)
