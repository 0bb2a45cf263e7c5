"""Manifests of a chart: its CRDs and its hooks, found in text that is no YAML before it is rendered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_SPLIT = re.compile(r"^---.*$", re.MULTILINE)
_KIND = re.compile(r"^kind:\s*[\"']?(\w+)", re.MULTILINE)
_NAME = re.compile(r"^  name:\s*(.+?)\s*$", re.MULTILINE)
_GROUP = re.compile(r"^  group:\s*[\"']?([\w.-]+)", re.MULTILINE)
_OF = re.compile(r"^    kind:\s*[\"']?(\w+)", re.MULTILINE)
_HOOK = re.compile(r"[\"']?helm\.sh/hook[\"']?:\s*(.+?)\s*$", re.MULTILINE)
_BRACES = re.compile(r"\{\{.*?\}\}", re.DOTALL)


def _documents(files: Mapping[str, str]) -> Iterator[str]:
    for _, text in sorted(files.items()):
        yield from _SPLIT.split(text)


def crds(files: Mapping[str, str]) -> list[str]:
    """group/Kind of each CustomResourceDefinition."""
    found = set()
    for text in _documents(files):
        if "CustomResourceDefinition" in text and (of := _KIND.search(text)) and of[1] == "CustomResourceDefinition":
            group, kind = _GROUP.search(text), _OF.search(text)
            if group and kind:
                found.add(f"{group[1]}/{kind[1]}")
    return sorted(found)


def hooks(files: Mapping[str, str]) -> list[str]:
    """Kind, name and hooks of each object that Helm runs as a hook; `*` where a part of the name is made."""
    found = set()
    for text in _documents(files):
        hook, kind = _HOOK.search(text), _KIND.search(text)
        if hook and kind:
            name = _NAME.search(text, max(text.find("\nmetadata:"), 0))
            said = _BRACES.sub("*", name[1]).strip("\"'") if name else "*"
            when = ",".join(part.strip() for part in _BRACES.sub("*", hook[1]).strip("\"'").split(","))
            found.add(f"{kind[1]} {said} {when}")
    return sorted(found)
