"""The environment in which plain `pulumi` works on this checkout's stacks."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from cli import plugin
from cli.plugin import PROVIDER
from lab.home import state_dir
from tools.toolset import Toolset, bin_dir

__all__ = ["COMMANDS", "PROVIDER", "backend_dir", "prepare", "pulumi_home", "variables"]

COMMANDS = ("pulumi", "kubectl", "helm")
PASSPHRASE = "tessera-lab"  # noqa: S105 - public
"""Public, and so no secret: it only opens what a lab on this machine keeps in its stack file and state."""


def backend_dir() -> Path:
    """Where stacks are kept unless the user says otherwise."""
    return state_dir() / "stacks"


def pulumi_home() -> Path:
    """Pulumi's own folder, with the Kubernetes provider in its place."""
    return state_dir() / "pulumi"


def variables(toolset: Toolset, given: Mapping[str, str]) -> dict[str, str]:
    """What to set on top of the given environment; whatever the user has set stays.

    toolset holds COMMANDS and PROVIDER.
    """
    venv = str(Path(sys.executable).parent)
    folders = [str(bin_dir(_commands(toolset))), venv]
    kept = [part for part in given.get("PATH", "").split(os.pathsep) if part and part not in folders]
    defaults = {
        "PULUMI_HOME": str(pulumi_home()),
        "PULUMI_BACKEND_URL": f"file://{backend_dir()}",
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        "TESSERA_PYTHON": sys.executable,
    }
    if not {"PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"} & set(given):
        defaults["PULUMI_CONFIG_PASSPHRASE"] = PASSPHRASE
    fresh = {name: value for name, value in defaults.items() if not given.get(name)}
    return {"PATH": os.pathsep.join([*folders, *kept]), **fresh}


def prepare(toolset: Toolset, environment: Mapping[str, str]) -> None:
    """Make the folders that the variables name, where they are ours."""
    if environment.get("PULUMI_BACKEND_URL") == f"file://{backend_dir()}":
        backend_dir().mkdir(parents=True, exist_ok=True, mode=0o700)
    home = Path(environment["PULUMI_HOME"])
    version = toolset.version(PROVIDER)
    plugin.place(
        home / "plugins" / f"resource-kubernetes-v{version}", toolset.path(PROVIDER).resolve(), home / "running"
    )


def _commands(toolset: Toolset) -> Toolset:
    return Toolset({name: toolset.places[name] for name in COMMANDS})
