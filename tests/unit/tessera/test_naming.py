"""What a wrong word probably meant."""

import pytest

from tessera.naming import unknown


@pytest.mark.parametrize(
    ("found", "allowed", "clause"),
    [
        pytest.param("bord", ["pool", "board"], "'bord' (did you mean 'board'?); allowed: board, pool", id="near"),
        pytest.param("xyz", ["pool", "board"], "'xyz'; allowed: board, pool", id="far"),
        pytest.param("xyz", [], "'xyz'; allowed: none", id="nothing allowed"),
    ],
)
def test_an_unknown_word_is_told_with_what_is_allowed(found, allowed, clause):
    assert unknown("word", found, allowed) == f"unknown word {clause}"
