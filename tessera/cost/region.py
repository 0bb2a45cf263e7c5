"""The region of a stack, as the Pulumi provider for AWS is told it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tessera.errors import TesseraError

KEY = "aws:region"

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def stated(path: Path) -> str | None:
    """The region that a stack file states in plain text; None where it states none. Raises TesseraError."""
    try:
        values: Any = yaml.load(path.read_text(encoding="utf-8-sig"), Loader=_Loader)  # noqa: S506 - a safe loader
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise TesseraError(f"{path}: can't be read as YAML") from error
    config = values.get("config") if isinstance(values, dict) else None
    found = config.get(KEY) if isinstance(config, dict) else None
    return found.strip() or None if isinstance(found, str) else None
