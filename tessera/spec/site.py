"""The site: what the surroundings of a cluster impose, read by roles, node bootstrap and charts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tessera.spec.allowed import SECRET, Address, Allowed, Ip, Mirror, Text, Url, Word
from tessera.spec.model import Model
from tessera.spec.secret import Secret

_ENCRYPTED = "an encrypted value, as `pulumi config set --secret --path` writes it"


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
    """Registry that images and charts come from, instead of their own."""

    pull_secret: Annotated[Secret | None, Field(alias="pullSecret"), Allowed(_ENCRYPTED, SECRET)] = None
    """Registry credentials (a .dockerconfigjson), encrypted: `pulumi config set --secret --path`."""
