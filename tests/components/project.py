"""A stack of this checkout's program in a folder of its own: real engine, real provider, real lab."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import yaml

from cli import environment
from lab import lifecycle, processes
from lab.home import LabHome, lab_home
from tools.toolset import Toolset, ensure

CHECKOUT = Path(__file__).parents[2]
LIMIT_S = 180


class Project:
    """A copy of the program and of one stack file, with its own backend, state and plugins."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.folder = folder
        self.tools: Toolset = ensure([*environment.COMMANDS, environment.PROVIDER])
        (folder / "stacks").mkdir()
        shutil.copy(CHECKOUT / "__main__.py", folder)
        settings = yaml.safe_load((CHECKOUT / "Pulumi.yaml").read_text())
        settings["runtime"]["options"]["virtualenv"] = str(CHECKOUT / ".venv")
        settings["plugins"]["providers"][0]["path"] = str(CHECKOUT / "components" / "provider")
        (folder / "Pulumi.yaml").write_text(yaml.safe_dump(settings))
        self.write(config)
        given = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "TESSERA_HOME": os.environ["TESSERA_HOME"]}
        self.env = {**given, **environment.variables(self.tools, given)}
        environment.prepare(self.tools, self.env)
        self.run("stack", "init", "lab")

    @property
    def home(self) -> LabHome:
        return lab_home("lab")

    def write(self, config: dict[str, Any]) -> None:
        """Write the stack file, keeping what the engine put there."""
        path = self.folder / "stacks" / "Pulumi.lab.yaml"
        old = yaml.safe_load(path.read_text()) if path.exists() else {}
        old["config"] = {f"tessera:{key}": value for key, value in config.items()}
        path.write_text(yaml.safe_dump(old))

    def popen(self, *words: str) -> subprocess.Popen[str]:
        command = [str(self.tools.path("pulumi")), *words, "--non-interactive", "--color=never"]
        return subprocess.Popen(
            command, cwd=self.folder, env=self.env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def run(self, *words: str, fails: bool = False) -> str:
        """Run pulumi and return all it printed; its exit status must be as expected."""
        with self.popen(*words) as process:
            printed, _ = process.communicate(timeout=LIMIT_S)
        assert bool(process.returncode) == fails, printed
        return printed

    def up(self, **expected: bool) -> str:
        return self.run("up", "-s", "lab", "--yes", "--skip-preview", **expected)

    def unchanged(self) -> None:
        """A preview finds nothing to do."""
        self.run("preview", "-s", "lab", "--expect-no-changes")

    def planned(self) -> dict[str, str]:
        """What a preview would do, by resource type: create, update, replace ...; unchanged ones are left out."""
        command = [str(self.tools.path("pulumi")), "preview", "-s", "lab", "--json", "--non-interactive"]
        done = subprocess.run(
            command, check=False, cwd=self.folder, env=self.env, text=True, capture_output=True, timeout=LIMIT_S
        )
        assert done.returncode == 0, done.stdout + done.stderr
        steps = json.loads(done.stdout)["steps"]
        plain = [step for step in steps if step["op"] in ("create", "update", "replace", "delete")]
        return {step["urn"].split("::")[2].rpartition("$")[2]: step["op"] for step in plain}

    def destroy(self) -> str:
        return self.run("destroy", "-s", "lab", "--yes", "--skip-preview")

    def export(self) -> dict[str, Any]:
        """The stack's resources by type."""
        resources = json.loads(self.run("stack", "export", "-s", "lab"))["deployment"].get("resources", [])
        return {row["type"]: row for row in resources}

    def close(self) -> None:
        """End whatever is left, however the test ended."""
        lifecycle.down("lab")
        processes.stop(self.home)
