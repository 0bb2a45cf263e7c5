"""One cause is one sentence."""

import pytest

from tessera.platform.causes import causes


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], []),
        ([("a", "x")], ["component a: x"]),
        ([("a", "x"), ("b", "y"), ("a", "y")], ["component a: x", "components b, a: y"]),
        ([(name, "x") for name in "abcde"], ["components a, b, c and 2 more: x"]),
        ([("a", "x"), ("a", "x")], ["component a: x"]),
    ],
)
def test_each_text_is_there_once_with_whom_it_is_about(rows, said):
    assert causes(rows) == said
