"""`tessera env`."""

from __future__ import annotations

import json as json_module
import os
import shlex
import subprocess
from pathlib import Path

from cli.output import Json


def env(json: Json = False) -> None:
    """Print what makes plain `pulumi` work here: eval "$(tessera env)". Sets nothing that you have set."""
    from cli import environment
    from tools.toolset import ensure

    toolset = ensure([*environment.COMMANDS, environment.PROVIDER])
    fresh = environment.variables(toolset, os.environ)
    whole = {**os.environ, **fresh}
    environment.prepare(toolset, whole)
    _init_lab_stack(str(toolset.path("pulumi")), whole)
    if json:
        print(json_module.dumps(fresh, indent=2))
        return
    for name, value in fresh.items():
        print(f"export {name}={shlex.quote(value)}")


def _init_lab_stack(pulumi: str, environment: dict[str, str]) -> None:
    """Make the stack `lab` in a backend of ours, once: `pulumi up -s lab` refuses a stack that was never made."""
    from cli.checkout import CHECKOUT
    from cli.environment import backend_dir
    from tessera.errors import TesseraError

    if environment["PULUMI_BACKEND_URL"] != f"file://{backend_dir()}":
        return
    state = Path(backend_dir()) / ".pulumi" / "stacks" / "tessera" / "lab.json"
    if state.exists():
        return
    done = subprocess.run(
        [pulumi, "stack", "init", "lab", "--non-interactive"],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode and not state.exists():
        raise TesseraError(f"the stack lab could not be made: {done.stderr.strip()}")
