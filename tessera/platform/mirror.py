"""A mirror in values: images named below it, by the value paths that each chart has for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from tessera.charts import keys
from tessera.charts.keys import Path

_REST = ("tag", "version", "digest", "sha")


def mirrored(reference: str, mirror: str) -> str:
    """An image, or the head of one, below the mirror: MIRROR/HOST/PATH. One that is there already stays."""
    if reference == mirror or reference.startswith(f"{mirror}/"):
        return reference
    host, slash, path = reference.partition("/")
    if not slash:
        return f"{mirror}/docker.io/library/{reference}"
    if not _is_host(host):
        return f"{mirror}/docker.io/{reference}"
    return f"{mirror}/{host}{slash}{path}"


def rewritten(
    values: Mapping[str, Any], defaults: Mapping[str, Any], rows: Iterable[str], mirror: str
) -> dict[str, Any]:
    """The values with all images below the mirror. rows: an image each, as the paths of its parts joined by `+`."""
    found = deepcopy(dict(values))
    for row in rows:
        for path, value in _changes(_parts(row), found, defaults, mirror):
            _put(found, path, value)
    return found


def unmapped(images: Iterable[str], mirror: str) -> list[str]:
    """The images of rendered manifests that are not below the mirror."""
    return sorted({image for image in images if not image.startswith(f"{mirror}/")})


def images_in(manifest: Any) -> Iterable[str]:
    """Every `image:` in a manifest that names one; with the `repository:` beside it, as custom resources have it."""
    if isinstance(manifest, Mapping):
        repository = manifest.get("repository")
        for key, below in manifest.items():
            if key == "image" and isinstance(below, str):
                yield f"{repository}/{below}" if repository and isinstance(repository, str) else below
            else:
                yield from images_in(below)
    elif isinstance(manifest, list):
        for below in manifest:
            yield from images_in(below)


def _is_host(part: str) -> bool:
    return "." in part or ":" in part or part == "localhost"


def _parts(row: str) -> list[Path]:
    """Paths of a row, less tags and digests."""
    said = re.sub(r"\(.*?\)", "", row)
    found = [keys.split(part.partition("|")[0].strip()) for part in said.split(" + ")]
    return [path for path in found if path and path[-1] not in _REST]


def _changes(
    parts: Sequence[Path], values: Mapping[str, Any], defaults: Mapping[str, Any], mirror: str
) -> Iterable[tuple[Path, str]]:
    """The first part that says something holds the host; below Docker Hub a lone name is in `library`."""
    said = {path: value for path in parts if isinstance(value := _said(path, values, defaults), str) and value}
    if not said:
        return
    path, value = next(iter(said.items()))
    registry = next((part for part in parts if part[-1].lower().endswith("registry")), None)
    if registry is None or (path != registry and _is_host(value.partition("/")[0])):
        yield path, _headed(value, len(said) > 1, mirror)
        return
    host, rest = (value, [*said][1:]) if path == registry else ("docker.io", [*said])
    if host == "docker.io" and rest and "/" not in said[rest[0]]:
        yield rest[0], f"library/{said[rest[0]]}"
    yield registry, host if host.startswith(f"{mirror}/") else f"{mirror}/{host}"


def _headed(value: str, goes_on: bool, mirror: str) -> str:
    """goes_on: whether the image's name stands in another part, so that this one is not the whole of it."""
    if not goes_on or value.startswith(f"{mirror}/"):
        return mirrored(value, mirror)
    return f"{mirror}/{value}" if _is_host(value.partition("/")[0]) else f"{mirror}/docker.io/{value}"


def _said(path: Path, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> Any:
    return keys.at(values, path, keys.at(defaults, path))


def _put(values: dict[str, Any], path: Path, value: str) -> None:
    for key in path[:-1]:
        below = values.get(key)
        values[key] = dict(below) if isinstance(below, Mapping) else {}
        values = values[key]
    values[path[-1]] = value
