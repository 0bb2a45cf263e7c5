"""Parts: the processes of a lab's control plane and the arguments that each is started with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab import kubeconfig
from lab.home import LabHome
from lab.ports import HOST
from lab.record import write
from tessera.scheduler import configuration, scheduler

ETCD, API, SCHEDULER, CONTROLLERS, KWOK = (
    "etcd",
    "kube-apiserver",
    "kube-scheduler",
    "kube-controller-manager",
    "kwok",
)
NAMES = (ETCD, API, SCHEDULER, CONTROLLERS, KWOK)
"""In the order in which they start; each needs those before it."""

SERVICE_RANGE = "10.96.0.0/16"
POD_RANGE = "10.244.0.0/16"
LEASE_S = 40
MANIFESTS = Path(__file__).parent / "manifests"


@dataclass(frozen=True)
class Part:
    """One process. url answers 200 once it serves; identity: whose certificate asks it."""

    name: str
    argv: tuple[str, ...]
    url: str
    identity: str


def parts(home: LabHome, ports: Mapping[str, int], binaries: Mapping[str, Path]) -> tuple[Part, ...]:
    """All parts, in the order in which they start. Writes nothing."""
    arguments = {
        ETCD: _etcd(home, ports),
        API: _api(home, ports),
        SCHEDULER: _scheduler(home, ports),
        CONTROLLERS: _controllers(home, ports),
        KWOK: _kwok(home, ports),
    }
    return tuple(
        Part(name, (str(binaries[name]), *arguments[name]), _url(name, ports), "etcd" if name == ETCD else "bootstrap")
        for name in NAMES
    )


def configure(home: LabHome, ports: Mapping[str, int], scheduling: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """Write the configuration files that the parts read. The same ports and settings give the same files.

    scheduling: a recipe's control_plane.scheduler. Returns the parts that read a file which is another now, and was
    there before. Raises TesseraError where the settings are wrong.
    """
    for identity in ("bootstrap", SCHEDULER, CONTROLLERS, KWOK):
        write(_conf(home, identity), kubeconfig.text(home, ports[API], identity))
    write(home.kubeconfig, kubeconfig.text(home, ports[API], "admin"))
    document = configuration(scheduler(scheduling or {}), str(_conf(home, SCHEDULER)))
    file, text = home.conf / "scheduler.yaml", json.dumps(document, indent=2) + "\n"  # JSON is YAML too
    stale = file.exists() and file.read_text(encoding="utf-8") != text
    write(file, text)
    return (SCHEDULER,) if stale else ()


def _url(name: str, ports: Mapping[str, int]) -> str:
    path = {ETCD: "/health", API: "/readyz"}.get(name, "/healthz")
    scheme = "http" if name == KWOK else "https"
    return f"{scheme}://{HOST}:{ports[name]}{path}"


def _conf(home: LabHome, identity: str) -> Path:
    return home.conf / f"{identity}.kubeconfig"


def _etcd(home: LabHome, ports: Mapping[str, int]) -> tuple[str, ...]:
    client, peer = f"https://{HOST}:{ports[ETCD]}", f"https://{HOST}:{ports['etcd-peer']}"
    ca, cert, key = home.pki / "ca.crt", home.pki / "etcd.crt", home.pki / "etcd.key"
    return (
        "--name=lab",
        f"--data-dir={home.etcd}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=lab={peer}",
        f"--trusted-ca-file={ca}",
        f"--cert-file={cert}",
        f"--key-file={key}",
        "--client-cert-auth",
        f"--peer-trusted-ca-file={ca}",
        f"--peer-cert-file={cert}",
        f"--peer-key-file={key}",
        "--peer-client-cert-auth",
        "--unsafe-no-fsync",  # a lab survives the death of processes, not of the machine
        "--log-level=warn",
    )


def _api(home: LabHome, ports: Mapping[str, int]) -> tuple[str, ...]:
    pki = home.pki
    return (
        f"--etcd-servers=https://{HOST}:{ports[ETCD]}",
        f"--etcd-cafile={pki / 'ca.crt'}",
        f"--etcd-certfile={pki / 'etcd.crt'}",
        f"--etcd-keyfile={pki / 'etcd.key'}",
        f"--bind-address={HOST}",
        f"--secure-port={ports[API]}",
        f"--tls-cert-file={pki / 'apiserver.crt'}",
        f"--tls-private-key-file={pki / 'apiserver.key'}",
        f"--client-ca-file={pki / 'ca.crt'}",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={pki / 'sa.pub'}",
        f"--service-account-signing-key-file={pki / 'sa.key'}",
        f"--service-cluster-ip-range={SERVICE_RANGE}",
        "--authorization-mode=Node,RBAC",
        "--allow-privileged=true",  # as kubeadm and the clouds have it: drivers' DaemonSets are privileged
        "--endpoint-reconciler-type=none",  # no pod really runs that could use the service's address
        "--profiling=false",
        "--max-requests-inflight=1000",
        "--max-mutating-requests-inflight=500",
    )


def _secure(home: LabHome, name: str, port: int) -> tuple[str, ...]:
    conf = _conf(home, name)
    return (
        f"--authentication-kubeconfig={conf}",
        f"--authorization-kubeconfig={conf}",
        f"--bind-address={HOST}",
        f"--secure-port={port}",
        f"--tls-cert-file={home.pki / name}.crt",
        f"--tls-private-key-file={home.pki / name}.key",
        f"--client-ca-file={home.pki / 'ca.crt'}",
    )


def _scheduler(home: LabHome, ports: Mapping[str, int]) -> tuple[str, ...]:
    return (
        f"--config={home.conf / 'scheduler.yaml'}",
        *_secure(home, SCHEDULER, ports[SCHEDULER]),
        "--authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics",  # figures are no secret here
    )


def _controllers(home: LabHome, ports: Mapping[str, int]) -> tuple[str, ...]:
    return (
        f"--kubeconfig={_conf(home, CONTROLLERS)}",
        *_secure(home, CONTROLLERS, ports[CONTROLLERS]),
        "--leader-elect=false",
        "--use-service-account-credentials",
        f"--service-account-private-key-file={home.pki / 'sa.key'}",
        f"--root-ca-file={home.pki / 'ca.crt'}",
        f"--cluster-signing-cert-file={home.pki / 'ca.crt'}",
        f"--cluster-signing-key-file={home.pki / 'ca.key'}",
        "--kube-api-qps=1000",
        "--kube-api-burst=2000",
        "--profiling=false",
    )


def _kwok(home: LabHome, ports: Mapping[str, int]) -> tuple[str, ...]:
    return (
        f"--kubeconfig={_conf(home, KWOK)}",
        f"--config={MANIFESTS / 'stages.yaml'}",
        "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake",
        f"--node-lease-duration-seconds={LEASE_S}",
        f"--node-ip={HOST}",
        f"--cidr={POD_RANGE}",
        f"--server-address={HOST}:{ports[KWOK]}",
    )
