"""YAML as Helm reads it: only true and false are booleans, and neither a date nor a lone `=` is more than text.

Real CRDs need it: Alertmanager's matchers have an enum with a bare `=`, which YAML 1.1 makes a key of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

_BOOL, _BARE = "tag:yaml.org,2002:bool", ("tag:yaml.org,2002:value", "tag:yaml.org,2002:timestamp")
_TRUE_OR_FALSE = re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """A safe loader with fewer words that are not text."""


_Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in found if tag not in (_BOOL, *_BARE)]
    for letter, found in _Base.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_BOOL, _TRUE_OR_FALSE, list("tTfF"))


def load(text: str | bytes) -> Any:
    """The one document of a text. Raises yaml.YAMLError."""
    return yaml.load(text, Loader=_Loader)  # noqa: S506 - made of a safe loader


def load_all(text: str | bytes) -> Iterator[Any]:
    """Each document of a text. Raises yaml.YAMLError."""
    return yaml.load_all(text, Loader=_Loader)
