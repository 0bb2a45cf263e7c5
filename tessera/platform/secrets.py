"""Secrets in values: a recipe holds `secret://NAME`, and only the program puts the value there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tessera.recipe.secrets import PREFIX

PULL_SECRET = "tessera-pull"  # noqa: S105 - a name, no secret
"""Name of the image pull secret that each namespace of the platform gets where the site has one."""


def references(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Path and name of each reference in values."""
    if isinstance(value, str) and value.startswith(PREFIX):
        yield ".".join(path), value.removeprefix(PREFIX)
    elif isinstance(value, Mapping):
        for key, below in value.items():
            yield from references(below, (*path, str(key)))
    elif isinstance(value, list | tuple):
        for at, below in enumerate(value):
            yield from references(below, (*path, str(at)))


def filled(value: Any, secret: Callable[[str], Any]) -> Any:
    """The values with each reference replaced by what `secret` gives for its name."""
    if isinstance(value, str) and value.startswith(PREFIX):
        return secret(value.removeprefix(PREFIX))
    if isinstance(value, Mapping):
        return {key: filled(below, secret) for key, below in value.items()}
    return [filled(below, secret) for below in value] if isinstance(value, list | tuple) else value


def pull_secrets(value: Any) -> Iterator[str]:
    """Names below any `imagePullSecrets` in values."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            if key == "imagePullSecrets" and isinstance(below, list):
                yield from (str(one.get("name", "")) if isinstance(one, Mapping) else str(one) for one in below)
            else:
                yield from pull_secrets(below)
    elif isinstance(value, list):
        for below in value:
            yield from pull_secrets(below)
