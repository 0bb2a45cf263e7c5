"""The site: what the surroundings of a cluster impose, read by roles, node bootstrap and charts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tessera.spec.allowed import Address, ChartPlace, Flag, Ip, Mirror, Text, Url, Word
from tessera.spec.encrypted import Encrypted
from tessera.spec.model import Model


class Site(Model):
    """Network and trust of the place where the cluster stands."""

    proxy: Url | None = None
    """HTTP proxy for whatever leaves the site."""

    no_proxy: Annotated[tuple[Word, ...], Field(alias="noProxy")] = ()
    """Hosts, domains and networks that are reached without the proxy."""

    ca_bundle: Annotated[Text | None, Field(alias="caBundle")] = None
    """Certificates to trust besides the system's: PEM text, or the path of a PEM file."""

    ntp: tuple[Address, ...] = ()
    """Time servers."""

    dns: tuple[Ip, ...] = ()
    """Name servers."""

    mirror: Mirror | None = None
    """Registry that images come from, instead of their own."""

    rewrite: Flag = False
    """Whether values of charts name the mirror. Without it, containerd on the nodes asks the mirror by itself."""

    charts: ChartPlace | None = None
    """Where all charts come from, instead of their own repositories: a repository, a registry or a folder."""

    pull_secret: Annotated[Encrypted | None, Field(alias="pullSecret")] = None
    """Registry credentials (a .dockerconfigjson), encrypted: `pulumi config set --secret --path`."""
