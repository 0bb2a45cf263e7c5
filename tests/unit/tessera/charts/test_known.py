"""The recorded charts: each can be read, and what people wrote of it fits what was recorded."""

import json

import pytest
import yaml

from tessera.charts import keys, vet
from tessera.charts.known import FOLDER, NOTES, known, versions, with_notes
from tessera.charts.tree import Tree
from tessera.errors import TesseraError

from .conftest import Installed

ALL = [(chart, version) for chart, found in versions().items() for version in found]
IDS = [f"{chart}-{version}" for chart, version in ALL]

CASES = [(chart, version, at) for chart, version in ALL for at in range(len(known(chart, version).refusals))]


def test_names_of_files_are_chart_and_version():
    assert len(ALL) == len(list(FOLDER.glob("*.json"))) == len(list(FOLDER.glob("*.yaml")))
    for path in FOLDER.glob("*.json"):
        tree = Tree.read(path.read_text(), path.name)
        assert path.stem == f"{tree.chart}-{tree.version}"
        assert tree.source.by in {"command", "facts"}
        assert tree.source.repository.startswith("https://")
        assert tree.text() == path.read_text(), "record it anew"


@pytest.mark.parametrize(("chart", "version"), ALL, ids=IDS)
def test_what_people_wrote_speaks_of_values_that_are_there(chart, version):
    one = known(chart, version)
    tree, named = one.tree, {path for refusal in one.refusals for path in refusal.paths}
    assert one.published.keys() == {"kind", "url"}
    assert one.published["kind"] in {"http", "oci", "folder"}
    assert one.published["url"].startswith("oci://" if one.published["kind"] == "oci" else "https://")
    for path in map(keys.split, named):
        above = any(path[:depth] in tree.open for depth in range(1, len(path)))
        assert path in tree.known or path in tree.inner or above, path
    for old, new in one.renamed.items():
        assert new in tree.known or new in tree.inner
        assert old not in tree.values
    assert not one.gone & tree.known


def answer(path, asked, one):
    kind = one.tree.values[path].kind if path in one.tree.values else "any"
    if isinstance(asked, bool):
        empty = {"bool": False, "map": {}, "list": [], "int": 0, "any": None}
        full = {"bool": True, "map": {"a": "b"}, "list": ["x"], "int": 1}
        first = next((name for name in ("bool", "map", "list", "int", "any") if name in kind.split("|")), "string")
        return full.get(first, "x") if asked else empty.get(first, "")
    if asked in ("set", "unset"):
        return 1 if asked == "set" else None
    test, against = next(iter(asked.items()))
    return {
        "is": against[0] if isinstance(against, list) else against,
        "is not": 7 if "int" in kind else "nonsense",
        "above": against + 1 if test == "above" else None,
        "below": against - 1 if test == "below" else None,
        "longer than": "x" * (against + 1) if test == "longer than" else None,
    }[test]


@pytest.mark.parametrize(("chart", "version", "at"), CASES, ids=[f"{chart}-{at}" for chart, _, at in CASES])
def test_each_case_of_each_refusal_is_found(chart, version, at):
    one = known(chart, version)
    refusal = one.refusals[at]
    for case in refusal.when:
        values, namespace = {}, "own"
        for said, asked in case.items():
            if said == "@namespace":
                namespace = asked["is"]
                continue
            *above, last = keys.split(said)
            here = values
            for key in above:
                here = here.setdefault(key, {})
            here[last] = answer(keys.split(said), asked, one)
        texts = [
            problem.text for problem in vet.problems(Installed(values, namespace), one) if problem.kind == "refused"
        ]
        assert any(text.endswith(refusal.says) for text in texts), case


def test_defaults_of_these_charts_refuse_to_render_and_of_no_others():
    refusing = {
        f"{chart}-{version}"
        for chart, version in ALL
        if any(problem.kind == "refused" for problem in vet.problems(Installed({}, "own"), known(chart, version)))
    }
    assert refusing == {
        "aws-load-balancer-controller-3.5.0",
        "dra-driver-nvidia-gpu-0.4.1",
        "inferencepool-v1.5.0",
        "llm-d-router-gateway-v0.10.0",
        "loki-18.11.0",
        "loki-7.3.0",
    }


@pytest.mark.parametrize(
    ("chart", "version", "values", "path"),
    [
        pytest.param("gpu-operator", "v26.7.0", {"dcgmExporter": {"serviceMonitor": {"intervall": "15s"}}},
                     "dcgmExporter.serviceMonitor.interval", id="GPU operator"),
        pytest.param("network-operator", "26.4.1", {"operator": {"version": "v26.4.1"}}, None, id="network operator"),
        pytest.param("kube-prometheus-stack", "88.5.3", {"prometheus-node-exporter": {"image": {"sha": "x"}}},
                     "prometheus-node-exporter.image.digest", id="node exporter"),
        pytest.param("kubeflow-trainer", "2.3.0", {"manager": {"annotations": {"a": "b"}}}, "manager.podAnnotations",
                     id="trainer"),
        pytest.param("cilium", "1.20.0", {"tunnel": "disabled"}, "routingMode", id="cilium"),
        pytest.param("metallb", "0.16.1", {"configInline": {"a": 1}}, None, id="metallb"),
        pytest.param("dynamo-platform", "1.4.0", {"nats": {"enabled": True}}, "global.nats.install", id="dynamo"),
        pytest.param("jobset", "0.12.0", {"prometheus": {"enabled": True}}, "prometheus.enable", id="jobset"),
    ],
)  # fmt: skip
def test_known_traps_are_told(chart, version, values, path):
    found = [one.text for one in vet.problems(Installed(values, "own"), known(chart, version)) if one.kind != "refused"]
    assert len(found) == 1
    assert path is None or repr(path) in found[0]


def test_what_is_not_recorded_names_what_is():
    with pytest.raises(TesseraError, match=r"version '6.0.0' of chart loki is not recorded; recorded: 7.3.0, 18.11.0;"):
        known("loki", "6.0.0")
    with pytest.raises(TesseraError, match=r"unknown chart 'gpu-operater' .did you mean 'gpu-operator'"):
        known("gpu-operater", "v26.7.0")


def test_a_note_that_nobody_reads_is_refused(small):
    with pytest.raises(TesseraError, match=r"unknown key 'refusal' .did you mean 'refusals'"):
        with_notes(small, {"refusal": []}, "x.yaml")
    with pytest.raises(TesseraError, match="allowed: true, false, set, unset"):
        with_notes(small, {"refusals": [{"when": {"a": "on"}, "says": "x"}]}, "x.yaml")


def test_files_hold_nothing_but_what_is_read():
    for path in FOLDER.glob("*.yaml"):
        assert yaml.safe_load(path.read_text()).keys() <= set(NOTES)
    for path in FOLDER.glob("*.json"):
        assert json.loads(path.read_text())["format"] == 1
