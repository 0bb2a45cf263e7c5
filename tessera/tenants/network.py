"""What a tenant's pods reach, and who reaches them: nobody and nothing, but for what is listed here."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Any, Final

from tessera.tenants.namespace import inside
from tessera.tenants.tenant import Tenant

METADATA: Final = ("169.254.169.254/32", "fd00:ec2::254/128")
"""Where clouds hand out a node's credentials; no rule of ours opens them."""

_DNS = {
    "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "kube-system"}},
    "podSelector": {"matchLabels": {"k8s-app": "kube-dns"}},
}
_DNS_PORTS = [{"protocol": "UDP", "port": 53}, {"protocol": "TCP", "port": 53}]


def network_policies(tenant: Tenant) -> list[dict[str, Any]]:
    """The NetworkPolicies; allowances add up, so each is a policy of its own."""
    network = tenant.network
    anyone: list[dict[str, Any]] = [{"podSelector": {}}]
    ports = [{"protocol": "TCP", "port": port} for port in network.api_ports]
    rules: dict[str, dict[str, Any]] = {
        "default-deny": {"policyTypes": ["Ingress", "Egress"]},
        "allow-dns": _out([{"to": [_DNS], "ports": _DNS_PORTS}]),
        "allow-same-namespace": {
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [{"from": anyone}],
            "egress": [{"to": anyone}],
        },
    }
    if network.api_server:
        rules["allow-api-server"] = _out([{"to": _blocks(network.api_server), "ports": ports}])
    if network.egress:
        rules["allow-egress"] = _out([{"to": _blocks(network.egress)}])
    return [_policy(tenant, name, rule) for name, rule in rules.items()]


def _policy(tenant: Tenant, name: str, rule: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": inside(tenant, name),
        "spec": {"podSelector": {}, **rule},
    }


def _out(egress: list[dict[str, Any]]) -> dict[str, Any]:
    return {"policyTypes": ["Egress"], "egress": egress}


def _blocks(cidrs: Iterable[str]) -> list[dict[str, Any]]:
    return [{"ipBlock": _block(cidr)} for cidr in cidrs]


def _block(cidr: str) -> dict[str, Any]:
    closed = [one for one in METADATA if _holds(cidr, one)]
    return {"cidr": cidr, **({"except": closed} if closed else {})}


def _holds(outer: str, inner: str) -> bool:
    one, other = ipaddress.ip_network(outer), ipaddress.ip_network(inner)
    same = one.version == other.version
    return same and int(one[0]) <= int(other[0]) <= int(other[-1]) <= int(one[-1]) and one != other
