"""A pool: machines of one kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from tessera.sharing.pool import SharedPool
from tessera.sharing.way import Way
from tessera.spec import machines
from tessera.spec.allowed import (
    Address,
    Allowed,
    BoardName,
    Count,
    Flag,
    HostName,
    InstanceName,
    LabelKey,
    LabelValue,
    Name,
)
from tessera.spec.capacity import Capacity
from tessera.spec.model import Model
from tessera.spec.sharing import Sharing, way_of

Os = Annotated[
    Literal["amazonlinux-2023", "debian-12", "debian-13", "rhel-9", "ubuntu-22.04", "ubuntu-24.04"], Allowed(word="os")
]
Role = Annotated[Literal["control-plane", "worker"], Allowed(word="role")]
Effect = Annotated[Literal["NoSchedule", "PreferNoSchedule", "NoExecute"], Allowed(word="effect")]


class Host(Model):
    """A machine in a rack."""

    name: HostName
    """Its host name, which is its node's name too."""

    address: Address
    """Where Ansible reaches it: an IP address or a DNS name."""

    role: Role = "worker"
    """What it does in the cluster."""


class Taint(Model):
    """Keeps pods away that do not tolerate it."""

    key: LabelKey
    """Its key."""

    value: LabelValue = ""
    """Its value."""

    effect: Effect
    """What happens to pods that do not tolerate it."""


class Pool(Model):
    """Machines of one kind. Accelerator and architecture follow from the instance or board, and are never written."""

    name: Name
    """Nodes of a lab are called <name>-0, <name>-1 ..."""

    instance: InstanceName | None = None
    """EC2 instance type (eks)."""

    board: BoardName | None = None
    """GPU board of each machine (metal, lab); pools of control plane hosts alone need none."""

    os: Os | None = None
    """Operating system; a lab needs none."""

    size: Count = 0
    """Count of nodes (eks, lab); metal lists hosts instead, and then it is their count."""

    hosts: tuple[Host, ...] = ()
    """The machines, one by one (metal)."""

    efa: Flag = False
    """Whether nodes get all network interfaces of the Elastic Fabric Adapter that the instance has (eks)."""

    sharing: Sharing = "dra"
    """How pods share a GPU: claims of whole devices (dra), claims of MIG devices too, which are then cut (dynamic-mig),
    plain whole GPUs (none), or a way with settings."""

    capacity: Capacity = "on-demand"
    """How the machines are bought (eks)."""

    labels: dict[LabelKey, LabelValue] = Field(default_factory=dict)
    """Labels of the nodes."""

    taints: tuple[Taint, ...] = ()
    """Taints of the nodes."""

    @property
    def sharing_kind(self) -> str:
        """The sharing criterion: dra, dynamic-mig, none, mig, mps or time-slicing."""
        return self.way.kind

    @property
    def way(self) -> Way:
        """How its GPUs are shared, as plain values."""
        return way_of(self.sharing)

    @property
    def shared(self) -> SharedPool | None:
        """The pool as sharing sees it; None where it has no GPUs."""
        machine = machines.known(self.board, self.instance)
        return SharedPool(self.name, machine, self.way) if machine else None

    @property
    def capacity_kind(self) -> str:
        """How the machines are bought: on-demand, spot, block or reservation."""
        return self.capacity if isinstance(self.capacity, str) else self.capacity.kind

    @model_validator(mode="before")
    @classmethod
    def _count_hosts(cls, values: Any) -> Any:
        if isinstance(values, Mapping) and "size" not in values and isinstance(values.get("hosts"), list | tuple):
            return {**values, "size": len(values["hosts"])}
        return values
