"""Stand-in charts: the real names, versions, values, CRDs, images and hook Jobs, from the recorded key trees.

What they run is kwok's: pods of images that nobody pulls. Their schema takes no key that the real chart does not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from components.platform.store import packed
from tessera.charts import keys
from tessera.charts.known import known, versions
from tessera.charts.tree import Tree
from tessera.platform.facts import facts

_TYPES = {"string": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array", "map": "object"}
PAUSE = "registry.k8s.io/pause:3.10"
PLAIN = f"      - {{name: main, image: {PAUSE}}}"
DAEMONS = ("node-feature-discovery", "dra-driver-nvidia-gpu", "alloy", "metallb", "aws-ebs-csi-driver")
DIG = """{{- define "s.v" -}}{{- $n := .v -}}{{- range .p -}}{{- if kindIs "map" $n -}}{{- $n = get $n . -}}\
{{- else -}}{{- $n = "" -}}{{- end -}}{{- end -}}{{- if kindIs "string" $n -}}{{ $n }}{{- end -}}{{- end -}}
{{- define "s.image" -}}{{- $all := list -}}{{- $v := .v -}}{{- range .parts -}}
{{- $one := include "s.v" (dict "v" $v "p" .) -}}{{- if $one -}}{{- $all = append $all $one -}}{{- end -}}{{- end -}}
{{- $tag := include "s.v" (dict "v" $v "p" .tag) -}}
{{- if $all -}}{{ join "/" $all }}{{ if not (contains ":" (last (splitList "/" (join "/" $all)))) }}:\
{{ $tag | default "latest" }}{{ end }}{{- end -}}{{- end -}}
"""


def files(chart: str, version: str, *, shown: str = "", crds: Mapping[str, str] | None = None) -> dict[str, bytes]:
    """The files of a stand-in. shown: the version that it says it is, where that is not the recorded one.

    crds: further CRDs, as file names and texts.
    """
    tree = known(chart, version).tree
    found = {
        "Chart.yaml": _yaml(
            {"apiVersion": "v2", "name": chart, "version": shown or version, "dependencies": _dependencies(tree)}
        ),
        "values.yaml": _yaml(defaults(tree)),
        "values.schema.json": json.dumps(schema(tree), indent=1).encode(),
        "templates/_image.tpl": DIG.encode(),
        "templates/workload.yaml": workload(tree).encode(),
    }
    inside = _inside(tree)
    for kind in tree.crds:
        sub = inside.get(kind)
        name = kind.replace("/", "-").lower()
        found[f"{f'charts/{sub}/' if sub else ''}crds/{name}.yaml"] = crd(kind).encode()
    for sub in set(inside.values()):
        found[f"charts/{sub}/Chart.yaml"] = _yaml({"apiVersion": "v2", "name": sub, "version": "0.1.0"})
    if any(hook.startswith("Job ") and "post-install" in hook for hook in tree.hooks):
        found["templates/hook.yaml"] = HOOK.encode()
    found |= {f"crds/{name}": text.encode() for name, text in (crds or {}).items()}
    return found


def archive(chart: str, version: str, **more: Any) -> bytes:
    """The stand-in as a .tgz."""
    return packed(chart, files(chart, version, **more))


def write(folder: Path, chart: str, version: str, **more: Any) -> None:
    """The stand-in as NAME-VERSION.tgz in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{chart}-{more.get('shown') or version}.tgz").write_bytes(archive(chart, version, **more))


def newest(chart: str) -> str:
    return versions()[chart][-1]


def _yaml(value: Any) -> bytes:
    return yaml.safe_dump(value, sort_keys=False).encode()


def _inside(tree: Tree) -> dict[str, str]:
    """By kind, the recorded subchart that brings its CRD."""
    found = {}
    for sub in tree.subcharts:
        if sub.name in versions():
            found |= dict.fromkeys(known(sub.name, versions()[sub.name][-1]).tree.crds, sub.name)
    return {kind: sub for kind, sub in found.items() if kind in tree.crds}


def _dependencies(tree: Tree) -> list[dict[str, Any]]:
    inside = set(_inside(tree).values())
    return [
        {"name": sub.name, "version": "0.1.0", "condition": ",".join(sub.conditions)}
        for sub in tree.subcharts
        if sub.name in inside
    ]


def defaults(tree: Tree) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in sorted(tree.values, key=len):
        value, node = tree.values[path], found
        for key in path[:-1]:
            node = node.setdefault(key, {})
            if not isinstance(node, dict):
                break
        else:
            plain = [] if "list" in value.kind.split("|") else {} if "map" in value.kind.split("|") else value.default
            if plain is not None and not value.templated:
                node.setdefault(path[-1], plain)
    return found


def schema(tree: Tree, path: keys.Path = (), free: bool = False) -> dict[str, Any]:
    """Every known key and no other; what may hold anything, may, and so may all below it. free: whether it is below."""
    inner = tree.inner.get(path)
    value = tree.values.get(path)
    if inner is None:
        kinds = value.kind.split("|") if value else []
        types = {_TYPES[kind] for kind in kinds if kind in _TYPES}
        types |= {"number"} if "integer" in types else set()
        either = not types or "any" in kinds
        return {} if either else {"type": sorted({*types, "null"})}
    free = free or path in tree.open or path in tree.passthrough or (value is not None and "map" in value.kind)
    shut = {} if free else {"additionalProperties": False}
    below = {key: schema(tree, (*path, key), free) for key in sorted(inner)}
    subcharts = {sub.key for sub in tree.subcharts}
    if path == () or path[-1] in subcharts:
        below.setdefault("global", {})
    return {"properties": below, **shut} if free else {"type": ["object", "null"], "properties": below, **shut}


def workload(tree: Tree) -> str:
    """A Deployment or a DaemonSet with a container for each image that the values name."""
    rows = facts(tree.chart).images or tree.images
    kind = "DaemonSet" if tree.chart in DAEMONS else "Deployment"
    containers = "".join(_container(at, row) for at, row in enumerate(rows))
    secured = "      securityContext: {runAsNonRoot: true, runAsUser: 65532, seccompProfile: {type: RuntimeDefault}}\n"
    restricted = facts(tree.chart).pod_security == "restricted"
    replicas = "" if kind == "DaemonSet" else "  replicas: 1\n"
    return f"""{{{{- $v := .Values | toYaml | fromYaml }}}}
apiVersion: apps/v1
kind: {kind}
metadata:
  name: {{{{ .Release.Name }}}}
  namespace: {{{{ .Release.Namespace }}}}
spec:
{replicas}  selector: {{matchLabels: {{app: {{{{ .Release.Name }}}}}}}}
  template:
    metadata: {{labels: {{app: {{{{ .Release.Name }}}}}}}}
    spec:
      tolerations: [{{operator: Exists}}]
{secured if restricted else ""}      containers:
{containers or PLAIN}
"""


def _container(at: int, row: str) -> str:
    parts = [keys.split(part.partition("|")[0].strip()) for part in row.split(" + ")]
    tags = [part for part in parts if part[-1] in ("tag", "version")]
    heads = [part for part in parts if part[-1] not in ("tag", "version", "digest", "sha")]
    said = f'"parts" (list {" ".join(map(_list, heads))}) "tag" {_list(tags[0] if tags else ())}'
    lines = [
        f'{{{{- with include "s.image" (dict "v" $v {said}) }}}}',
        f"- name: c{at}",
        "  image: {{ . | quote }}",
        "  securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}",
        "{{- end }}",
    ]
    return "".join(f"      {line}\n" for line in lines)


def _list(path: keys.Path) -> str:
    return f"(list {' '.join(json.dumps(key) for key in path)})"


HOOK = """apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-hook
  namespace: {{ .Release.Namespace }}
  annotations:
    helm.sh/hook: post-install,post-upgrade
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  template:
    spec:
      restartPolicy: Never
      tolerations: [{operator: Exists}]
      containers: [{name: hook, image: "registry.k8s.io/pause:3.10"}]
"""


def crd(kind: str, *, scope: str = "Namespaced") -> str:
    group, _, name = kind.partition("/")
    plural = re.sub("(?<![aeiou])ys$", "ies", f"{name.lower()}s")
    return f"""apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {plural}.{group}, annotations: {{api-approved.kubernetes.io: "unapproved, a stand-in"}}}}
spec:
  group: {group}
  scope: {scope}
  names: {{kind: {name}, plural: {plural}, singular: {name.lower()}, listKind: {name}List}}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}
"""
