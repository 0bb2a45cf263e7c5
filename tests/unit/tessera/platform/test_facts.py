"""Facts of charts: what the file says is read, and what nobody reads is refused."""

import pytest

from tessera import data
from tessera.charts.known import versions
from tessera.errors import ProblemsError
from tessera.platform.facts import FILE, facts, read


def test_every_chart_of_the_file_is_recorded_and_every_level_has_its_reason():
    rows = data.load(FILE)["charts"]
    assert set(rows) <= set(versions())
    assert [chart for chart, row in rows.items() if "podSecurity" in row and "because" not in row] == []


def test_chart_that_is_not_there_has_the_defaults():
    assert (facts("never-heard-of").pod_security, facts("never-heard-of").timeout_s) == ("baseline", 300)


def test_wrong_rows_are_told_at_once():
    with pytest.raises(ProblemsError) as caught:
        read({"a": {"podSecurity": "privilged"}, "b": {"timeout": 3}})
    assert caught.value.problems == (
        "recipes/platform.yaml: charts.a: unknown Pod Security level 'privilged' (did you mean 'privileged'?); "
        "allowed: baseline, privileged, restricted",
        "recipes/platform.yaml: charts.b: unknown key 'timeout' (did you mean 'timeoutSeconds'?); "
        "allowed: because, images, kinds, podSecurity, runtime, timeoutSeconds",
    )
