"""Where a chart comes from: a repository over HTTP, a registry, or a folder of charts or of their archives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["http", "oci", "folder"]


@dataclass(frozen=True)
class Source:
    """kind: how it is read; place: URL, or path of a folder that holds NAME/Chart.yaml or NAME-VERSION.tgz."""

    kind: Kind
    place: str

    @property
    def host(self) -> str:
        """Host and port of a repository or registry; empty for a folder."""
        return "" if self.kind == "folder" else self.place.partition("://")[2].partition("/")[0]


def source(repository: str) -> Source:
    """The source that a repository's text names: oci://..., http(s)://..., else a folder."""
    if repository.startswith("oci://"):
        return Source("oci", repository.rstrip("/"))
    if repository.startswith(("http://", "https://")):
        return Source("http", repository.rstrip("/"))
    return Source("folder", repository.removeprefix("file://"))
