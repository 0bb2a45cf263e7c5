"""Stacks of the lab for tests."""

from pathlib import Path

import pytest
import yaml

from tests.components.project import CHECKOUT, Project


def example(name: str = "lab") -> dict:
    """The configuration of one of the stacks that come with Tessera."""
    raw = yaml.safe_load((CHECKOUT / "stacks" / f"Pulumi.{name}.yaml").read_text())["config"]
    return {key.removeprefix("tessera:"): value for key, value in raw.items()}


def small() -> dict:
    """Two nodes, one class, and three pods with a GPU each."""
    workload = {
        "name": "llm-embedding-service",
        "namespace": "ai-platform",
        "replicas": 3,
        "image": "registry.internal/vllm-engine:v0.8.2",
        "class": "gpu-inference-large",
    }
    return {
        "cluster": {"service": "lab"},
        "pools": [{"name": "h100", "board": "hgx-h100", "size": 2}],
        "classes": ["gpu-inference-large"],
        "workloads": [workload],
    }


@pytest.fixture
def config():
    return small()


@pytest.fixture
def make_project(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("TESSERA_HOME", str(tmp_path / "home"))
    made = []

    def make(values: dict) -> Project:
        folder = tmp_path / "project"
        folder.mkdir()
        made.append(Project(folder, values))
        return made[-1]

    yield make
    for project in made:
        project.close()


@pytest.fixture
def project(make_project, config):
    """A small stack that was not brought up yet."""
    return make_project(config)
