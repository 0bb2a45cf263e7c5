"""Vetting a component's values against what is recorded of its chart."""

import pytest

from tessera.charts import keys
from tessera.charts.vet import problems

from .conftest import Installed


def found(values, chart, namespace="small"):
    return [(keys.join(one.path), one.kind, one.text) for one in problems(Installed(values, namespace), chart)]


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"image": {"tag": "v2"}, "replicas": 3}, id="values"),
        pytest.param({"nodeSelector": {"nvidia.com/gpu.present": "true"}}, id="below an open map"),
        pytest.param({"strategy": {"type": "Recreate"}}, id="below a null"),
        pytest.param({"security": {"runAsGroup": 3}}, id="below a map that is copied"),
        pytest.param({"hidden": {"deep": 1}}, id="known to templates alone"),
        pytest.param({"told": "x"}, id="read by a default"),
        pytest.param({"args": []}, id="a list replaces"),
        pytest.param({"share": 1}, id="a whole number is a number"),
        pytest.param({"share": "half"}, id="a kind that people know"),
        pytest.param({"worker": {"size": 2, "active": True, "secret": "x"}}, id="a chart inside"),
        pytest.param(
            {"remote": {"anything": {"goes": 1}}, "far": {"enabled": True}}, id="a chart that is not recorded"
        ),
        pytest.param({"global": {"region": "south"}}, id="global"),
        pytest.param({"extra": "x"}, id="known to the schema"),
    ],
)
def test_what_fits_has_no_problem(values, chart):
    assert found(values, chart) == []


@pytest.mark.parametrize(
    ("values", "path", "kind", "said"),
    [
        pytest.param(
            {"replicsa": 1}, "replicsa", "unknown", "would ignore it; did you mean 'replicas'?", id="misspelt"
        ),
        pytest.param(
            {"image": {"tga": "x"}}, "image.tga", "unknown", "'image.tga'; did you mean 'image.tag'?", id="closed"
        ),
        pytest.param({"imag": {"tag": "x"}}, "imag", "unknown", "did you mean 'image'?", id="inner key"),
        pytest.param(
            {"pullPolicy": "Always"}, "pullPolicy", "unknown", "did you mean 'image.pullPolicy'?", id="elsewhere"
        ),
        pytest.param(
            {"worker": {"colour": "x"}}, "worker.colour", "unknown", "did you mean 'worker.color'?", id="inside"
        ),
        pytest.param({"old": 1}, "old", "removed", "refuses 'old', which was removed", id="removed"),
        pytest.param({"labels": {"own": 1}}, "labels.own", "renamed", "write 'nodeSelector'", id="renamed"),
        pytest.param({"ancient": {"key": 1}}, "ancient.key", "gone", "as 0.9.0 had", id="gone"),
        pytest.param({"ghost": {"walks": False}}, "ghost.walks", "unread", "does nothing", id="never read"),
        pytest.param({"idle": 1}, "idle", "unread", "does nothing", id="read by idle helpers"),
        pytest.param(
            {"replicas": "3"},
            "replicas",
            "type",
            "must be a whole number; found '3'; write it without quotes",
            id="quoted number",
        ),
        pytest.param(
            {"enabled": "true"},
            "enabled",
            "type",
            "must be true or false; found 'true'; write it without quotes",
            id="quoted bool",
        ),
        pytest.param(
            {"name": 1.10}, "name", "type", "must be text; found 1.1; write it in quotes", id="number for text"
        ),
        pytest.param(
            {"name": True}, "name", "type", "must be text; found True; write it in quotes", id="bool for text"
        ),
        pytest.param({"args": "x"}, "args", "type", "must be a list; found 'x'", id="text for a list"),
        pytest.param({"args": {"a": 1}}, "args", "type", "must be a list; found a mapping", id="map for a list"),
        pytest.param(
            {"nodeSelector": ["x"]}, "nodeSelector", "type", "must be a mapping; found a list", id="list for a map"
        ),
        pytest.param(
            {"image": "x"}, "image", "type", "must be a mapping (with pullPolicy, repository, tag)", id="text for a map"
        ),
        pytest.param({"mode": "slwo"}, "mode", "type", "found 'slwo', allowed: fast, slow", id="no choice"),
        pytest.param(
            {"worker": {"size": 2, "active": False}},
            "worker",
            "off",
            "'worker' is off by 'worker.active'",
            id="inside is off",
        ),
        pytest.param(
            {"both": True, "other": True}, "both", "refused", "small 1.0.0 refuses this: one of them", id="refused"
        ),
    ],
)
def test_what_does_not_fit_is_told(values, path, kind, said, chart):
    ((at, what, text),) = found(values, chart)
    assert (at, what) == (path, kind)
    assert said in text


def test_all_is_told_at_once(chart):
    wrong = {"replicsa": 1, "name": 1, "both": True, "other": True, "old": 1, "image": {"tga": 1}}
    assert [kind for _, kind, _ in found(wrong, chart)] == ["unknown", "type", "removed", "unknown", "refused"]


def test_the_namespace_counts(chart):
    assert found({"replicas": 4}, chart) == []
    assert [kind for _, kind, _ in found({"replicas": 4}, chart, "default")] == ["refused"]


def test_a_switch_alone_is_no_value_for_a_chart_that_is_off(chart):
    assert found({"worker": {"active": False}}, chart) == []
