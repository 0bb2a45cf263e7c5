"""A workload: pods that come with the stack, and the devices that they claim."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, Strict, StringConstraints, WithJsonSchema

from tessera.spec.allowed import Allowed, ClassName, Count, LabelKey, LabelValue, Name, Text, Word
from tessera.spec.model import Model

ALL: Literal["all"] = "all"
"""A count: every device of a node that matches."""


def _list(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


_MOST = 32  # of tessera.dra.claims
DeviceCount = Annotated[
    Annotated[int, Strict(), Field(ge=1, le=_MOST)] | Literal["all"], Allowed(f"a whole number, 1 to {_MOST}, or all")
]
_Products = Annotated[
    tuple[Word, ...],
    BeforeValidator(_list),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
Kind = Annotated[Literal["deployment", "job"], Allowed(word="kind")]
What = Annotated[Literal["parent", "pcie-root", "numa"], Allowed(word="thing to share")]
Together = Annotated[Literal["nvlink-domain"], Allowed(word="place")]
Cpu = Annotated[
    str,
    StringConstraints(pattern=r"^([1-9][0-9]{0,5}m?|[0-9]{1,4}\.[0-9]{1,3})$"),
    Allowed('processors in quotes, such as "8" or 500m'),
]
Memory = Annotated[
    str, StringConstraints(pattern=r"^[1-9][0-9]{0,14}(Ki|Mi|Gi|Ti|k|M|G|T)?$"), Allowed("memory, such as 64Gi")
]
User = Annotated[int, Strict(), Field(ge=1, le=2**31 - 1), Allowed("a whole number, 1 to 2147483647")]


class Requires(Model):
    """What a device must have besides what its class asks for."""

    product: _Products = ()
    """GPUs by their key in the hardware tables, one or a list of which any will do."""

    architecture: Word | None = None
    """As NVIDIA calls it, such as Hopper."""

    profile: Word | None = None
    """MIG profile, such as 1g.24gb."""

    memory: Word | None = None
    """At least so much, such as 80G."""

    memory_at_most: Annotated[Word | None, Field(alias="memoryAtMost")] = None
    """At most so much."""

    compute_capability: Annotated[Word | None, Field(alias="computeCapability")] = None
    """At least this CUDA compute capability: three numbers, such as 9.0.0."""


class Alternative(Model):
    """Devices that will do."""

    name: Name
    """Of the alternative within its request."""

    device_class: Annotated[ClassName, Field(alias="class")]
    """One of tessera:classes of this file."""

    count: DeviceCount | None = None
    """Count of devices on one node; all is each that matches; without it, the class's own."""

    requires: Requires = Requires()
    """What the devices must have besides."""


class WorkloadRequest(Model):
    """Devices of one class, or alternatives of which the first that a node has is taken."""

    name: Name
    """Of the request within the claim."""

    device_class: Annotated[ClassName | None, Field(alias="class")] = None
    """One of tessera:classes of this file."""

    count: DeviceCount | None = None
    """Count of devices on one node; all is each that matches; without it, the class's own."""

    requires: Requires = Requires()
    """What the devices must have besides."""

    first_available: Annotated[tuple[Alternative, ...], Field(alias="firstAvailable")] = ()
    """Alternatives in order of preference, in place of a class."""


class SameRow(Model):
    """What devices of one claim must have in common."""

    what: What
    """parent: the GPU that MIG devices are cut from; pcie-root: the PCIe root complex; numa: the NUMA node."""

    requests: tuple[Name, ...] = ()
    """Requests of the claim that this is about; without it, all."""


class Workload(Model):
    """A Deployment or a Job whose pods claim devices: each its own through a template, or all of them one."""

    name: Name
    """Of the Deployment or Job; differs within a namespace."""

    namespace: Name
    """A tenant's, or else made by the stack."""

    kind: Kind = "deployment"
    """deployment: a service; job: an indexed Job, whose end no update waits for."""

    replicas: Count
    """Count of pods."""

    labels: dict[LabelKey, LabelValue] = Field(default_factory=dict)
    """Labels of the Deployment or Job and of its pods."""

    container: Name = "main"
    """Of the pod's one container."""

    image: Word
    """The container's image."""

    env: dict[Word, Text] = Field(default_factory=dict)
    """Environment of the container."""

    user: User | None = None
    """Number that the container runs as, never root; without it, the image's own."""

    cpu: Cpu | None = None
    """Processors of each pod; without it, 4 for each whole GPU and 1 for each MIG device."""

    memory: Memory | None = None
    """Memory of each pod; without it, 32Gi for each whole GPU and 8Gi for each MIG device."""

    claim: Name = "devices"
    """Of the claim within the pod."""

    template: Name | None = None
    """Of the ResourceClaimTemplate that gives each pod a claim of its own; without it, the workload's name."""

    resource_claim: Annotated[Name | None, Field(alias="resourceClaim")] = None
    """Of one long-lived ResourceClaim that all pods share, in place of a template."""

    device_class: Annotated[ClassName | None, Field(alias="class")] = None
    """One of tessera:classes of this file; what comes with the class is claimed too."""

    count: DeviceCount | None = None
    """Count of devices of the class; without it, the class's own, which may be all GPUs of a board."""

    request: Name | None = None
    """Of the request within the claim; without it, the kind of device: gpu or mig."""

    requests: tuple[WorkloadRequest, ...] = ()
    """What the claim asks for, one by one, in place of a class."""

    same: tuple[SameRow, ...] = ()
    """What the claim's devices must have in common."""

    pool: Name | None = None
    """Pool of this file whose nodes take the pods."""

    together: Together | None = None
    """nvlink-domain: all pods on nodes of one NVLink domain."""

    priority: Word | None = None
    """PriorityClass of a class that is offered here; without it, that of the first class that is claimed."""
