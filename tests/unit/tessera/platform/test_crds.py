"""CRDs in the files of a chart and of the subcharts that its values switch on."""

import pytest

from components.platform.store import packed
from tessera.errors import TesseraError
from tessera.platform.crds import brought


def crd(plural, group="example.com", kind="Thing"):
    return (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        f"metadata:\n  name: {plural}.{group}\nspec:\n  group: {group}\n  names:\n    kind: {kind}\n"
    ).encode()


CHART = {
    "Chart.yaml": b"name: whole\nversion: 1.0.0\ndependencies:\n"
    b"- {name: part, version: 1.0.0, alias: piece, condition: 'piece.missing, piece.enabled'}\n",
    "values.yaml": b"piece: {enabled: false}\n",
    "crds/a.yaml": crd("things") + b"---\n" + crd("others", kind="Other"),
    "crds/README.md": b"no CRD",
    "templates/crd.yaml": b"{{- if .Values.x }}\n" + crd("late", kind="Late") + b"{{- end }}\n",
    "charts/part/Chart.yaml": b"name: part\nversion: 1.0.0\n",
    "charts/part/crds/part.yaml": crd("parts", kind="Part"),
}


def names(found):
    return [one.name for one in found.crds]


def test_crds_of_the_chart_are_found_and_those_of_its_templates_are_only_named():
    found = brought(CHART, {}, "whole")
    assert names(found) == ["others.example.com", "things.example.com"]
    assert [one.kind for one in found.crds] == ["example.com/Other", "example.com/Thing"]
    assert found.kinds == ("example.com/Late",)


def test_subchart_that_values_switch_on_brings_its_own():
    assert "parts.example.com" in names(brought(CHART, {"piece": {"enabled": True}}, "whole"))


def test_first_condition_that_exists_rules():
    values = {"piece": {"enabled": True, "missing": False}}
    assert "parts.example.com" not in names(brought(CHART, values, "whole"))


def test_subchart_as_an_archive_counts_too_with_its_values():
    inside = {"Chart.yaml": b"name: part\nversion: 1.0.0\n", "crds/p.yaml": crd("parts"), "values.yaml": b"deep: 1\n"}
    files = {path: text for path, text in CHART.items() if not path.startswith("charts/")}
    files["charts/part-1.0.0.tgz"] = packed("part", inside)
    found = brought(files, {"piece": {"enabled": True}}, "whole")
    assert "parts.example.com" in names(found)
    assert found.defaults["piece"] == {"deep": 1, "enabled": False}


def test_a_word_that_helm_takes_for_true_switches_a_subchart_on():
    found = brought({**CHART, "values.yaml": b"piece: {enabled: on}\n"}, {}, "whole")
    assert "parts.example.com" in names(found)
    assert found.defaults["piece"] == {"enabled": True}


def test_a_chart_twice_inside_by_two_names_is_two():
    two = b"name: whole\nversion: 1.0.0\ndependencies:\n- {name: part, version: 1.0.0, condition: part.enabled}\n"
    two += b"- {name: part, version: 1.0.0, alias: piece, condition: piece.enabled}\n"
    files = {**CHART, "Chart.yaml": two, "values.yaml": b"part: {enabled: false}\npiece: {enabled: true}\n"}
    assert "parts.example.com" in names(brought(files, {}, "whole"))
    assert "parts.example.com" not in names(brought(files, {"piece": {"enabled": False}}, "whole"))


def test_a_subchart_that_chart_yaml_does_not_name_is_always_on():
    inside = {"Chart.yaml": b"name: part\nversion: 1.0.0\n", "crds/p.yaml": crd("parts")}
    files = {"Chart.yaml": b"name: whole\nversion: 1.0.0\n", "charts/part-1.0.0.tgz": packed("part", inside)}
    assert names(brought(files, {"part": {"enabled": False}}, "whole")) == ["parts.example.com"]


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        pytest.param("values.yaml", b"a: [", "whole: values.yaml: is not YAML", id="values"),
        pytest.param("charts/part/values.yaml", b"a: .inf", "whole: values.yaml: is not YAML", id="of a subchart"),
        pytest.param("Chart.yaml", b"version: 1.0.0", "whole: Chart.yaml: has no name", id="no name"),
    ],
)
def test_a_file_that_can_not_be_read_is_told_with_its_chart(file, text, said):
    with pytest.raises(TesseraError, match=said):
        brought({**CHART, file: text}, {}, "whole")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(b"a: [", "whole: crds/a.yaml: is no YAML", id="no YAML"),
        pytest.param(b"kind: CustomResourceDefinition\nmetadata: {name: x}\n", "a CRD lacks 'spec'", id="no spec"),
    ],
)
def test_unreadable_crd_is_told_with_its_file(text, said):
    with pytest.raises(TesseraError, match=said):
        brought({**CHART, "crds/a.yaml": text}, {}, "whole")


def test_a_crd_means_what_helm_and_kubectl_take_it_for():
    text = crd("things") + b"  enum: [=, '!=', on, no, 2026-01-01, true]\n"
    (found,) = brought({**CHART, "crds/a.yaml": text}, {}, "whole").crds
    assert found.manifest["spec"]["enum"] == ["=", "!=", True, False, "2026-01-01", True]
