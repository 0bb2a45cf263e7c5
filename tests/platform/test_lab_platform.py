"""stacks/Pulumi.lab-platform.yaml: Tessera's own layers, as a user brings them up, with charts that stand in."""

import base64
import gzip
import json

import pytest

from tests.components.conftest import example
from tests.components.project import CHECKOUT
from tests.lab.people import Person
from tests.lab.test_runtime_fence import CLASSES, pod, runtime_class
from tests.platform import standin
from tests.platform.conftest import PlatformProject
from tests.waiting import wait_until

pytestmark = [pytest.mark.engine, pytest.mark.lab]
NAME = "lab-platform"
PASSWORD = "only-the-cluster-knows"


def components():
    locked = json.loads((CHECKOUT / "stacks" / f"{NAME}.lock.json").read_text())
    return locked["recipe"]["components"]


@pytest.fixture
def repository(tmp_path, served):
    """A stand-in for each component of the recipe, at its version, in a Helm repository."""
    for component in components():
        standin.write(tmp_path / "charts", component["chart"], component["version"])
    return served.repository("stable", tmp_path / "charts")


@pytest.fixture
def project(tmp_path, monkeypatch, repository, served):
    monkeypatch.setenv("TESSERA_HOME", str(tmp_path / "home"))
    (tmp_path / "project").mkdir()
    made = PlatformProject(tmp_path / "project", {})
    made.config = example(NAME) | {
        "site": {"charts": repository, "caBundle": served.ca},
        "overrides": {"kube-prometheus-stack": {"grafana": {"adminPassword": "secret://grafana"}}},
    }
    made.write(made.config)
    yield made
    made.close()


def test_platform_catalogue_tenants_and_workloads_come_up_as_one_stack(project):
    project.run("config", "set", "-s", "lab", "--secret", "--path", "tessera:secrets.grafana", PASSWORD)
    project.up()
    project.unchanged()
    releases = project.releases()
    assert {name: row["status"] for name, row in releases.items()} == {
        component["name"]: "deployed" for component in components()
    }
    made = {name: int(row["modifiedAt"]) for name, row in releases.items()}
    assert all(made[one["name"]] >= made[needed] for one in components() for needed in one["after"])
    assert PASSWORD not in project.run("stack", "export", "-s", "lab")
    assert PASSWORD in values(project.client, "monitoring", "kube-prometheus-stack")

    pods = "/api/v1/namespaces/research/pods?labelSelector=app.kubernetes.io/name=vision-pretraining"
    wait_until(lambda: [pod["status"]["phase"] for pod in project.client.get(pods)["items"]] == ["Running"], "the job")
    admin = Person(project.home.kubeconfig.read_text())
    assert admin.send("POST", CLASSES, runtime_class("nvidia", "nvidia"))[0] == 201  # as the GPU operator makes it
    said = {place: admin.tries(pod("nvidia", place))[1] for place in ("monitoring", "gpu-operator")}
    assert "is for the platform's namespaces" in said["monitoring"]
    assert "is for the platform's namespaces" not in said["gpu-operator"]

    project.destroy()
    assert project.export() == {}
    assert not project.home.root.exists()


def values(client, namespace, release):
    """A release's values as Helm keeps them: zipped JSON in base64 in a Secret, which has its data in base64."""
    (row,) = client.get(f"/api/v1/namespaces/{namespace}/secrets", labelSelector=f"owner=helm,name={release}")["items"]
    packed = base64.b64decode(base64.b64decode(row["data"]["release"]))
    return json.dumps(json.loads(gzip.decompress(packed))["config"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"secrets": {}}, "unknown secret 'grafana'", id="secret-is-missing"),
        pytest.param({"secrets": {"grafana": PASSWORD}}, "found text that is not encrypted", id="secret-in-clear"),
        pytest.param(
            {"allowMajor": ["kueu"]}, "allowMajor: unknown component 'kueu' (did you mean 'kueue'?)", id="major"
        ),
        pytest.param(
            {"tenants": [{"name": "monitoring", "groups": ["oidc:a"]}], "workloads": []},
            "namespace 'monitoring' is that of tenant monitoring too",
            id="namespace-of-a-tenant",
        ),
        pytest.param(
            {"overrides": {"lws": {"replicaCuont": 3}}},
            "components.lws.values.replicaCuont: lws 0.10.0 has no value 'replicaCuont'",
            id="misspelt-value",
        ),
        pytest.param({"site": {"charts": "nowhere"}}, "nowhere", id="no-such-folder"),
    ],
)
def test_mistakes_of_the_stack_are_told_before_anything_is_made(project, change, said):
    config = project.config if "secrets" in change else without_password(project.config)
    project.write(config | change)
    printed = project.up(fails=True)
    assert said in printed
    assert "Traceback" not in printed
    assert PASSWORD not in printed
    assert not project.home.root.exists()


def without_password(config):
    return {key: value for key, value in config.items() if key not in ("secrets", "overrides")}
