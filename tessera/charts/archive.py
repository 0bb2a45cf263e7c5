"""Archives: the files of a chart, from a folder or a .tgz, read with nothing written and nothing run."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from tessera.errors import TesseraError

Files = Mapping[str, bytes]
"""By path below the chart's own folder."""

MOST_FILES = 20_000
MOST_BYTES = 200 * 1024 * 1024
"""Of all files together, unpacked: the largest chart that is recorded has a twentieth."""


def read(path: Path) -> dict[str, bytes]:
    """The files of a chart. Raises TesseraError where there is none, or where it is larger than any chart."""
    if path.is_dir():
        return _folder(path)
    try:
        return unpacked(path.read_bytes(), path.name)
    except OSError as error:
        raise TesseraError(f"{path}: can't be read ({error.strerror})") from error


def _folder(root: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    size = 0
    for path in sorted(root.rglob("*")):
        if path.is_symlink() and not path.resolve().is_relative_to(root.resolve()):
            raise TesseraError(f"{path}: is a link that leads out of the chart; copy the chart without it")
        if not path.is_file():
            continue
        size += path.stat().st_size
        _limit(len(found), size, str(root))
        found[path.relative_to(root).as_posix()] = path.read_bytes()
    return _checked(found, str(root))


def unpacked(packed: bytes, name: str) -> dict[str, bytes]:
    """The files of a chart's .tgz, whose one top folder is taken off. Links and devices are left out.

    Raises TesseraError where it is no such archive, a path leads out of it, or it is larger than any chart.
    """
    found: dict[str, bytes] = {}
    size = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as archive:
            for member in archive:
                inside = _inside(member.name, name)
                size += max(member.size, 0)
                _limit(len(found), size, name)
                content = archive.extractfile(member) if member.isreg() else None
                if content and inside:
                    found[inside] = content.read()
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise TesseraError(f"{name}: is no chart archive ({error}); give a .tgz or a folder") from error
    return _checked(found, name)


def _inside(member: str, name: str) -> str:
    path = PurePosixPath(member)
    if path.is_absolute() or ".." in path.parts or "\\" in member:
        raise TesseraError(f"{name}: holds a path that leads out of it: {member!r}; do not use this archive")
    return PurePosixPath(*path.parts[1:]).as_posix() if len(path.parts) > 1 else ""


def _limit(count: int, size: int, name: str) -> None:
    if count >= MOST_FILES or size > MOST_BYTES:
        raise TesseraError(f"{name}: more than {MOST_FILES} files or {MOST_BYTES} bytes; this is no chart")


def _checked(found: dict[str, bytes], name: str) -> dict[str, bytes]:
    if "Chart.yaml" not in found:
        raise TesseraError(f"{name}: has no Chart.yaml; give a chart's folder or its .tgz")
    return found
