"""A tenant: people who share a part of the cluster."""

from __future__ import annotations

import ipaddress
from typing import Annotated

from pydantic import AfterValidator, Field, Strict, StringConstraints

from tessera.dra import quantity
from tessera.errors import TesseraError
from tessera.spec.allowed import Allowed, ClassName, Devices, Name, Word
from tessera.spec.model import Model
from tessera.tenants import tenant as plain


def _quantity(text: str) -> str:
    try:
        positive = quantity.parse(text) > 0
    except TesseraError as error:
        raise ValueError from error
    if not positive:
        raise ValueError
    return text


def _cidr(text: str) -> str:
    ipaddress.ip_network(text)
    return text


Quantity = Annotated[
    str, AfterValidator(_quantity), Allowed('a quantity above 0, such as 512Gi, 500m or "64", in quotes if a number')
]
Cidr = Annotated[str, AfterValidator(_cidr), Allowed("a network, such as 10.0.0.0/8")]
Port = Annotated[int, Strict(), Field(ge=1, le=65535), Allowed("a port, 1 to 65535")]
ResourceName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"),
    Allowed("an extended resource, such as vpc.amazonaws.com/efa"),
]


class Queue(Model):
    """What a queue may do beyond the quota."""

    borrowing: dict[ClassName, Devices] = Field(default_factory=dict)
    """Devices of each class that it may lend from what others leave; the namespace's quota is the sum of both."""


class Defaults(Model):
    """What a container gets that does not say it."""

    cpu_request: Annotated[Quantity, Field(alias="cpuRequest")] = plain.Defaults.cpu_request
    """Cores it is promised."""

    memory_request: Annotated[Quantity, Field(alias="memoryRequest")] = plain.Defaults.memory_request
    """Bytes it is promised."""

    cpu_limit: Annotated[Quantity, Field(alias="cpuLimit")] = plain.Defaults.cpu_limit
    """Cores it may use at most."""

    memory_limit: Annotated[Quantity, Field(alias="memoryLimit")] = plain.Defaults.memory_limit
    """Bytes it may use at most."""


class Network(Model):
    """What pods reach besides DNS and the pods of their own namespace."""

    api_server: Annotated[tuple[Cidr, ...], Field(alias="apiServer")] = plain.PRIVATE
    """Networks in which the API server's addresses are, as seen from pods; an empty list closes it."""

    api_ports: Annotated[tuple[Port, ...], Field(alias="apiPorts")] = plain.API_PORTS
    """The API server's ports."""

    egress: tuple[Cidr, ...] = ()
    """Networks that are open altogether, such as that of a model store."""


class Tenant(Model):
    """A namespace, who may work in it, and how many devices of each class it may claim."""

    name: Name
    """Its name, and its namespace's."""

    groups: Annotated[tuple[Word, ...], Field(json_schema_extra={"minItems": 1})]
    """Groups of the identity provider whose members belong to it; one group may belong to several."""

    quota: dict[ClassName, Devices] = Field(default_factory=dict)
    """Devices of each class that it may claim at once; a class that is left out may not be claimed."""

    queue: Queue = Queue()
    """What a queue may lend it."""

    priorities: tuple[Word, ...] = ()
    """Priorities that its pods may have besides those of its classes."""

    resources: dict[ResourceName, Devices] = Field(default_factory=dict)
    """Extended resources that its pods may name, and how many at once; never GPUs, which are claimed."""

    cpu: Quantity | None = None
    """Cores of all its pods together."""

    memory: Quantity | None = None
    """Bytes of all its pods together."""

    defaults: Defaults = Defaults()
    """What its containers get that do not say it."""

    network: Network = Network()
    """What its pods reach."""

    def plain(self) -> plain.Tenant:
        """The same in the words of tessera.tenants."""
        rest = self.model_dump(exclude={"queue", "defaults", "network"})
        return plain.Tenant(
            **rest,
            borrowing=self.queue.borrowing,
            defaults=plain.Defaults(**self.defaults.model_dump()),
            network=plain.Network(**self.network.model_dump()),
        )
