"""Stacks of the lab for tests."""

from pathlib import Path

import pytest
import yaml

from tests.components.project import CHECKOUT, Project


def example() -> dict:
    """The configuration of stacks/Pulumi.lab.yaml."""
    raw = yaml.safe_load((CHECKOUT / "stacks" / "Pulumi.lab.yaml").read_text())["config"]
    return {key.removeprefix("tessera:"): value for key, value in raw.items()}


@pytest.fixture
def config():
    return example()


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
    """A stack that was not brought up yet."""
    return make_project(config)
