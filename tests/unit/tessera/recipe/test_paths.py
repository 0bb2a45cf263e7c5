"""Paths as text and back."""

from hypothesis import example, given
from hypothesis import strategies as st

from tessera.recipe import paths


@example((".[",))
@given(st.lists(st.text(min_size=1), min_size=1).map(tuple))
def test_a_path_comes_back_from_its_text(path):
    assert paths.parse(paths.text(path)) == path


def test_a_key_with_dots_stands_in_quotes():
    assert paths.text(("values", "nvidia.com/gpu", "at least")) == 'values["nvidia.com/gpu"].at least'
