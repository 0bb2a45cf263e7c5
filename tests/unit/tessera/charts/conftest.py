"""A small chart written in a test, and components with values."""

from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

import pytest

from tessera.charts.known import with_notes
from tessera.charts.record import record
from tessera.charts.tree import Source

SOURCE = Source("command", "https://example.org/small", "chart", "v1.0.0", "2026-01-02")

CHART = """
    apiVersion: v2
    name: small
    version: 1.0.0
    appVersion: v1
    dependencies:
      - {name: worker, version: 2.0.0, repository: "file://../worker", condition: worker.active}
      - {name: far, version: 3.0.0, repository: "https://example.org/charts", condition: far.enabled, alias: remote}
"""
VALUES = """
    image: {repository: example.org/small, tag: v1, pullPolicy: IfNotPresent}
    replicas: 1
    enabled: true
    name: ""
    nodeSelector: {}
    tolerations: []
    args: [--one, --two]
    ghost: {walks: true}
    security: {runAsUser: 1}
    strategy: null
    share: 0.5
    mode: fast
    both: false
    other: false
    worker: {active: true, size: 3, unheard: 1}
    remote: {}
    notice: "{{ .Values.told }}"
    text: |
      several
      lines
"""
SCHEMA = """
    {"properties": {"mode": {"type": "string", "enum": ["fast", "slow"]}, "extra": {"type": "string"},
     "image": {"type": "object", "additionalProperties": false, "properties": {"tag": {"type": ["string", "null"]}}}}}
"""
DEPLOYMENT = """
    {{- if .Values.old }}
    {{- fail "old is gone" }}
    {{- end }}
    {{- if and .Values.both .Values.other }}
    {{- fail "one of them" }}
    {{- end }}
    {{- $all := .Values -}}
    kind: Deployment
    metadata:
      name: {{ include "small.name" (dict "named" .Values "root" $) }}
    spec:
      replicas: {{ $all.replicas }} {{ .Values.enabled }} {{ .Values.mode | quote }} {{ .Values.share }}
      image: {{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
      policy: {{ .Values.image.pullPolicy }}
      {{- with .Values.nodeSelector }}
      nodeSelector: {{ toYaml . | nindent 8 }}
      {{- end }}
      securityContext: {{ toYaml .Values.security }}
      {{- range $key := list "tolerations" "strategy" }}
      {{ $key }}: {{ index $.Values $key | toJson }}
      {{- end }}
      {{- range .Values.args }}
      - {{ . }}
      {{- end }}
      {{- if hasKey .Values "hidden" }}
      hidden: {{ .Values.hidden.deep }}
      {{- end }}
      text: {{ .Values.text }} {{ tpl .Values.notice . }} {{ .Values.extra }}
"""
HELPERS = """
    {{/* a comment with .Values.comment */}}
    {{- define "small.name" -}}{{ .named.name }}{{- end -}}
    {{- define "small.idle" -}}{{ .Values.idle }}{{- end -}}
"""
HOOK = """
    kind: Job
    metadata:
      name: {{ .Release.Name }}-job
      annotations:
        "helm.sh/hook": pre-install, pre-upgrade
"""
CRD = """
    kind: CustomResourceDefinition
    spec:
      group: example.org
      names:
        kind: Small
"""
WORKER = {
    "Chart.yaml": "{name: worker, version: 2.0.0}",
    "values.yaml": "{size: 1, color: red, global: {region: north}}",
    "templates/a.yaml": "{{ .Values.size }} {{ .Values.color }} {{ .Values.global.region }} {{ .Values.secret }}",
}


def files(**more: str) -> dict[str, bytes]:
    """The small chart's files; more: by path, with _ for / and the suffix apart, others or other texts."""
    said = {
        "Chart.yaml": CHART,
        "values.yaml": VALUES,
        "values.schema.json": SCHEMA,
        "templates/deployment.yaml": DEPLOYMENT,
        "templates/_helpers.tpl": HELPERS,
        "templates/hook.yaml": HOOK,
        "crds/small.yaml": CRD,
        **{f"charts/worker/{name}": text for name, text in WORKER.items()},
        **more,
    }
    return {name: dedent(text).lstrip("\n").encode() for name, text in said.items()}


@dataclass(frozen=True)
class Installed:
    values: dict[str, Any] = field(default_factory=dict)
    namespace: str = "small"


@pytest.fixture(scope="session")
def small():
    """What is recorded of the small chart."""
    return record(files(), SOURCE)


@pytest.fixture(scope="session")
def chart(small):
    """The small chart with what people know of it."""
    notes = {
        "renamed": {"labels.own": "nodeSelector"},
        "gone": ["ancient.key"],
        "since": "0.9.0",
        "types": {"share": "float|string"},
        "refusals": [
            {"when": {"both": True, "other": True}, "says": "one of them"},
            {"when": [{"replicas": {"above": 3}, "@namespace": {"is": "default"}}], "says": "not so many there"},
        ],
    }
    return with_notes(small, notes, "recipes/charts/small-1.0.0.yaml")
