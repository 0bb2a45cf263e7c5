"""YAML as Helm reads it, which is neither YAML 1.1 nor 1.2. Measured with Helm 4.3.2 (sigs.k8s.io/yaml 1.6.0).

As in YAML 1.1, `y`, `yes` and `on` are true, `n`, `no` and `off` false, `017` is 15 and `1_000` is 1000. Unlike there,
`1e3` is a number, and a date, `1:30` and a lone `=` are text, as real CRDs need: Alertmanager's matchers have an enum
with a bare `=`. Keys are text: `on:` is the key `true`, `1.10:` is `1.1`. Charts and CRDs are read by it alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import yaml
from yaml.constructor import ConstructorError

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_DROPPED = tuple(_TAG + name for name in ("bool", "int", "float", "value", "timestamp"))
_TRUE = ("y", "yes", "true", "on")
_FALSE = ("n", "no", "false", "off")
_WORDS = (said for word in (*_TRUE, *_FALSE) for said in (word, word.capitalize(), word.upper()))
_BOOL = re.compile(rf"(?:{'|'.join(_WORDS)})\Z")
_ENDLESS = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NUMBER = re.compile(rf"(?:[-+0-9][0-9a-zA-Z_.+-]*|\.[0-9][0-9eE+-]*|{_ENDLESS.pattern})\Z")
"""What may be a number; whether it is one is seen as it is read."""

_WHOLE = re.compile(r"[-+]?(?:0[bB][01]+|0[oO]?[0-7]+|0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)")
_OCTAL = re.compile(r"\A([-+]?0)(?=[0-7])")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


def load(text: str | bytes) -> Any:
    """The one document of a text. Raises yaml.YAMLError."""
    return yaml.load(text, Loader=_Loader)  # noqa: S506 - made of a safe loader


def load_all(text: str | bytes) -> Iterator[Any]:
    """Each document of a text. Raises yaml.YAMLError."""
    return yaml.load_all(text, Loader=_Loader)


class _Loader(_Base):  # type: ignore[misc]
    """A safe loader whose words mean what they mean to Helm, and that makes nothing but JSON."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, Any]:
        if not isinstance(node, yaml.MappingNode):
            raise ConstructorError(None, None, "found a mapping that is none", node.start_mark)
        self.flatten_mapping(node)
        return {self._key(key): self.construct_object(value, deep=deep) for key, value in node.value}

    def _key(self, node: yaml.Node) -> str:
        key = self.construct_object(node, deep=True)
        if isinstance(key, str):
            return key
        if isinstance(key, bool):
            return str(key).lower()
        if isinstance(key, int | float):
            return f"{key:g}" if isinstance(key, float) else str(key)
        raise ConstructorError(None, None, f"found {key!r} as a key, which must be text", node.start_mark)


def _text(loader: _Loader, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


def _bool(loader: _Loader, node: yaml.ScalarNode) -> bool:
    return _text(loader, node).lower() in _TRUE


def _binary(loader: _Loader, node: yaml.ScalarNode) -> str:
    found: bytes = loader.construct_yaml_binary(node)
    return found.decode("utf-8", "replace")


def _number(loader: _Loader, node: yaml.ScalarNode) -> int | float | str:
    said = _text(loader, node)
    plain = said.replace("_", "")
    if _ENDLESS.fullmatch(said):
        raise ConstructorError(None, None, f"found {said}, which is no JSON", node.start_mark)
    if _WHOLE.fullmatch(plain):
        return int(_OCTAL.sub(r"\1o", plain), 0)
    number = float(plain) if _FLOAT.fullmatch(plain) else math.inf
    return number if math.isfinite(number) else said


_Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in found if tag not in _DROPPED]
    for letter, found in _Base.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(f"{_TAG}bool", _BOOL, list("yYnNtTfFoO"))
_Loader.add_implicit_resolver(f"{_TAG}float", _NUMBER, list("-+.0123456789"))
for _name, _make in {"bool": _bool, "int": _number, "float": _number, "binary": _binary}.items():
    _Loader.add_constructor(_TAG + _name, _make)
for _name in ("merge", "timestamp", "value"):
    _Loader.add_constructor(_TAG + _name, _text)
_Loader.add_constructor(f"{_TAG}set", _Base.construct_yaml_map)
for _name in ("omap", "pairs"):
    _Loader.add_constructor(_TAG + _name, _Base.construct_yaml_seq)
