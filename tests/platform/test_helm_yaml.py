"""Our YAML is that of the real Helm: each word that a unit test says, as a template of Helm's sees it."""

import json
import re
import subprocess

import pytest

from tests.unit.tessera.charts.test_helm_yaml import REFUSED, WORDS, strict
from tools.toolset import ensure

TEMPLATE = '{{ range $key, $value := .Values }}\n# {{ $key }} {{ if eq (kindOf $value) "invalid" }}null\
{{ else }}{{ $value | toJson }}{{ end }}{{ end }}\n'


@pytest.fixture
def told(tmp_path):
    """By key, what Helm makes of values; None where it refuses them."""

    def ask(values):
        (tmp_path / "templates").mkdir(exist_ok=True)
        (tmp_path / "Chart.yaml").write_text("{apiVersion: v2, name: words, version: 1.0.0}")
        (tmp_path / "templates" / "words.yaml").write_text(TEMPLATE)
        (tmp_path / "values.yaml").write_text(values)
        command = [str(ensure(["helm"]).path("helm")), "template", "x", str(tmp_path)]
        done = subprocess.run(command, check=False, text=True, capture_output=True, timeout=60)
        rows = re.findall(r"^# (k\d+) (.*)$", done.stdout, re.MULTILINE)
        return None if done.returncode else {key: json.loads(said) for key, said in rows}

    return ask


def test_helm_takes_each_word_for_what_we_do(told):
    found = told("".join(f"k{at}: {said}\n" for at, said in enumerate(WORDS)))
    for at, (said, value) in enumerate(WORDS.items()):
        assert strict(found.get(f"k{at}")) == strict(value), said


@pytest.mark.parametrize("said", REFUSED)
def test_helm_refuses_what_we_do(told, said):
    assert told(f"k0: {said}\n") is None
