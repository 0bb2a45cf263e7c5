"""The project that the engine runs."""

from __future__ import annotations

from pathlib import Path

import pulumi


def project_root() -> Path:
    """The folder of Pulumi.yaml."""
    return Path(pulumi.runtime.get_root_directory() or Path.cwd())
