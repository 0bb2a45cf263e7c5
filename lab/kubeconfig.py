"""Kubeconfigs: how a part, or a user, reaches the lab's API server."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import yaml

from lab.home import LabHome
from lab.ports import HOST


def server(port: int) -> str:
    """URL of the API server."""
    return f"https://{HOST}:{port}"


def document(home: LabHome, port: int, identity: str) -> dict[str, Any]:
    """A kubeconfig with everything inside, for one identity of the lab's certificates."""
    name = f"tessera-{home.name}"
    cluster = {"server": server(port), "certificate-authority-data": _data(home.pki / "ca.crt")}
    user = {
        "client-certificate-data": _data(home.pki / f"{identity}.crt"),
        "client-key-data": _data(home.pki / f"{identity}.key"),
    }
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": cluster}],
        "users": [{"name": name, "user": user}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }


def text(home: LabHome, port: int, identity: str) -> str:
    """The same as YAML."""
    return yaml.safe_dump(document(home, port, identity), sort_keys=False)


def _data(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()
