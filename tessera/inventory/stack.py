"""The inventory of a stack: hosts with their variables, and the groups they are in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

from tessera.errors import ProblemsError
from tessera.inventory.groups import RESERVED, group
from tessera.spec import machines
from tessera.spec.criteria import pool_criteria
from tessera.spec.pool import Host, Pool, Role
from tessera.spec.stack import Stack

_NO_HOSTS = {
    "eks": "its nodes are EC2 instances, which EKS makes and replaces",
    "lab": "its nodes are simulated",
}
_ROLES = get_args(get_args(Role)[0])

type Variables = Mapping[str, str | None]


@dataclass(frozen=True)
class InventoryHost:
    """One host. variables: by name; None where the pool has no such thing, as a board of hosts without GPUs."""

    name: str
    variables: Variables


@dataclass(frozen=True)
class Inventory:
    """Hosts and groups, both sorted by name. groups: each with the names of its hosts, sorted.

    empty: why there is no host to manage; empty text where there is one.
    """

    hosts: tuple[InventoryHost, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    empty: str


def inventory(stack: Stack) -> Inventory:
    """The inventory of a stack. Raises ProblemsError where a host's name is a group of Ansible's."""
    service = stack.cluster.service
    if service in _NO_HOSTS:
        return Inventory((), (), f"service {service} has no hosts to manage: {_NO_HOSTS[service]}")
    pairs = [(pool, host) for pool in stack.pools for host in pool.hosts]
    if taken := [(pool, host) for pool, host in pairs if host.name in RESERVED]:
        raise ProblemsError([_reserved(pool, host) for pool, host in taken])
    hosts = [InventoryHost(host.name, _variables(pool, host)) for pool, host in pairs]
    return Inventory(
        hosts=tuple(sorted(hosts, key=lambda host: host.name)),
        groups=_groups(stack),
        empty="" if hosts else "there are no hosts to manage: no pool lists one",
    )


def _groups(stack: Stack) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Groups with their hosts; a group of a pool or role that has no host is there too, and empty."""
    found: dict[str, list[str]] = {group("role", role): [] for role in _ROLES}
    for pool in stack.pools:
        for name in _pool_groups(pool):
            found.setdefault(name, []).extend(host.name for host in pool.hosts)
        for host in pool.hosts:
            found[group("role", host.role)].append(host.name)
    return tuple((name, tuple(sorted(found[name]))) for name in sorted(found))


def _pool_groups(pool: Pool) -> Iterator[str]:
    criteria = pool_criteria(pool)
    yield group("pool", pool.name)
    if criteria.accelerator:
        yield group("accelerator", criteria.accelerator)
    if criteria.os:
        yield group("os", criteria.os)


def _variables(pool: Pool, host: Host) -> Variables:
    machine, criteria = machines.known(pool.board, pool.instance), pool_criteria(pool)
    return {
        "ansible_host": host.address,
        "tessera_accelerator": criteria.accelerator,
        "tessera_architecture": criteria.architecture,
        "tessera_board": pool.board,
        "tessera_gpu": machine.gpu.key if machine else None,
        "tessera_os": criteria.os,
        "tessera_pool": pool.name,
        "tessera_role": host.role,
        "tessera_sharing": criteria.sharing,
    }


def _reserved(pool: Pool, host: Host) -> str:
    return (
        f"pool {pool.name!r}: host name {host.name!r} is a group of Ansible's; allowed: any other name than "
        f"{' and '.join(RESERVED)}"
    )
