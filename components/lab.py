"""A lab in a stack: control plane and nodes on this machine, and the Kubernetes provider that reaches it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes


class Lab(pulumi.CustomResource):
    """tessera:lab:Lab of our own provider; components/provider/lab.py says what it takes and gives."""

    name: pulumi.Output[str]
    instance: pulumi.Output[str]
    server: pulumi.Output[str]
    kubeconfig: pulumi.Output[str]

    def __init__(self, name: str, inputs: Mapping[str, Any], opts: pulumi.ResourceOptions | None = None) -> None:
        computed = dict.fromkeys(("instance", "server", "kubeconfig", "parts"))
        merged = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(additional_secret_outputs=["kubeconfig"]))
        super().__init__("tessera:lab:Lab", name, {"name": None, **inputs, **computed}, merged)


@dataclass(frozen=True)
class LabClusterArgs:
    """kubernetes: minor version. pools: rows with name, board and size (count of nodes), and where they are not the
    default what lab.record.NodePool has besides. scheduler: settings, as a recipe's control plane has them.
    """

    kubernetes: str
    pools: Sequence[Mapping[str, Any]]
    scheduler: Mapping[str, Any] = field(default_factory=dict)


class LabCluster(pulumi.ComponentResource):
    """Makes a Lab named after the stack, and a Kubernetes provider for what is put on it.

    Give children of the cluster `child_options`: they live and die with the lab.
    """

    def __init__(self, name: str, args: LabClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:lab:LabCluster", name, None, opts)
        inside = pulumi.ResourceOptions(parent=self)
        pools = [dict(pool) for pool in args.pools]
        inputs = {"kubernetes": args.kubernetes, "pools": pools, "scheduler": dict(args.scheduler)}
        self.lab = Lab(name, inputs, inside)
        self.provider = kubernetes.Provider(
            name,
            kubeconfig=self.lab.kubeconfig,
            cluster_identifier=name,  # a changed port or certificate is the same cluster still
            opts=inside,
        )
        self.register_outputs({"server": self.lab.server, "instance": self.lab.instance})

    def child_options(self, parent: pulumi.Resource) -> pulumi.ResourceOptions:
        """Options of every resource on the lab: reached through it, gone with it."""
        return pulumi.ResourceOptions(parent=parent, provider=self.provider, deleted_with=self.lab)
