"""Values as the engine gives them, decrypted, joined with the stack file in which they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tessera.spec.document import Document
from tessera.spec.secret import Secret

_OTHER = object()


def placed(values: Mapping[str, Any], document: Document) -> tuple[dict[str, Any], Document]:
    """The same values with Secret around what the file encrypts, and the document less the lines that don't fit.

    A key's lines don't fit where the engine has it from elsewhere (--config-file, Pulumi.yaml).
    """
    sealed = {key: _sealed(value, document.values.get(key, _OTHER)) for key, value in values.items()}
    foreign = frozenset(key for key, value in sealed.items() if value is _OTHER)
    kept = {key: values[key] if key in foreign else value for key, value in sealed.items()}
    missing = frozenset(document.values) - frozenset(values)
    return kept, replace(document, foreign=foreign | missing)


def _sealed(value: Any, written: Any) -> Any:
    """The value with its secrets sealed; _OTHER where something else is written."""
    if isinstance(written, Secret):
        return Secret(written.reference, value) if isinstance(value, str) else _OTHER
    if isinstance(written, dict) and isinstance(value, Mapping) and written.keys() == value.keys():
        inner = {key: _sealed(value[key], written[key]) for key in value}
        return _OTHER if any(part is _OTHER for part in inner.values()) else inner
    if isinstance(written, list) and isinstance(value, list) and len(written) == len(value):
        parts = [_sealed(*pair) for pair in zip(value, written, strict=True)]
        return _OTHER if any(part is _OTHER for part in parts) else parts
    return value if type(value) is type(written) and value == written else _OTHER
