"""A lab, and a program that installs a platform on it from charts of the test's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lab import lifecycle
from lab.client import Client
from lab.record import LabSpec, NodePool
from tests.components.project import Project
from tests.platform.serving import serving

PROGRAM = """
from pathlib import Path

import pulumi
import pulumi_kubernetes as kubernetes

from components.lab import LabCluster, LabClusterArgs
from components.platform.platform import Platform, PlatformArgs
from components.platform.prepared import prepared
from tessera.platform.plan import Settings
from tessera.recipe.resolved import Component

config = pulumi.Config("tessera")
rows = config.require_object("components")
timeouts = {row["name"]: row.pop("timeoutSeconds") for row in rows if "timeoutSeconds" in row}
components = [Component(**{**row, "after": tuple(row["after"])}) for row in rows]
site = config.get_object("site") or {}
secrets = {key: config.require_secret(key) for key in config.get_object("secrets") or ()}
settings = Settings(
    charts=site.get("charts"),
    mirror=site.get("mirror"),
    has_pull_secret="pullSecret" in site,
    secrets=tuple(secrets),
    allow_major=config.get_object("allowMajor") or (),
    timeouts=timeouts,
)
platform = prepared(components, settings, site.get("caBundle"), site.get("pullSecret"))
if path := site.get("kubeconfig"):
    kubeconfig = pulumi.Output.secret(Path(path).read_text())
    provider = kubernetes.Provider("lab", kubeconfig=kubeconfig, cluster_identifier="lab")

    def child_options(parent):
        return pulumi.ResourceOptions(parent=parent, provider=provider)
else:
    cluster = LabCluster("lab", LabClusterArgs("1.36", [{"name": "h100", "board": "hgx-h100", "size": 2}]))
    kubeconfig, child_options = cluster.lab.kubeconfig, cluster.child_options
Platform(
    "platform",
    PlatformArgs(
        platform, child_options, {"tessera.dev/stack": "lab"}, kubeconfig, secrets, site.get("pullSecret")
    ),
)
"""


class PlatformProject(Project):
    """site: settings of the stack that every test's components share."""

    site: dict[str, Any]

    def install(self, components: list[dict[str, Any]], *words: str, fails: bool = False, **config: Any) -> str:
        """Bring the platform to these components."""
        self.write({"components": components, "site": self.site, **config})
        return self.run("up", "-s", "lab", "--yes", "--skip-preview", *words, fails=fails)

    @property
    def client(self) -> Client:
        return Client.of(self.home)

    def releases(self) -> dict[str, dict[str, str]]:
        """Labels of the newest revision of each release, by name: Helm keeps them in secrets."""
        found: dict[str, dict[str, str]] = {}
        for row in self.client.items("/api/v1/secrets", labelSelector="owner=helm"):
            labels = row["metadata"]["labels"]
            if int(labels["version"]) > int(found.get(labels["name"], {}).get("version", 0)):
                found[labels["name"]] = labels
        return found

    def crds(self) -> dict[str, Any]:
        rows = self.client.items("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
        return {row["metadata"]["name"]: row for row in rows}


@pytest.fixture
def own_lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A lab that is no part of the stack, as a cloud's cluster would outlive its platform."""
    monkeypatch.setenv("TESSERA_HOME", str(tmp_path / "home"))
    yield lifecycle.up(LabSpec("lab", "1.36", (NodePool("h100", "hgx-h100", 2),)))
    lifecycle.down("lab")


@pytest.fixture
def project(own_lab, tmp_path: Path):
    """A stack for the platform on that lab; its charts lie in the folder `charts`."""
    folder = tmp_path / "project"
    folder.mkdir()
    made = PlatformProject(folder, {})
    (folder / "__main__.py").write_text(PROGRAM)
    made.site = {"kubeconfig": str(own_lab.home.kubeconfig), "charts": str(tmp_path / "charts")}
    yield made
    made.close()


@pytest.fixture
def served(tmp_path: Path):
    with serving(tmp_path) as found:
        yield found
