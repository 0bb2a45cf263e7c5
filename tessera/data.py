"""The recipes folder: data that comes with Tessera, read once per process."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tessera.errors import TesseraError

RECIPES = Path(__file__).resolve().parent.parent / "recipes"

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def load(relative: str) -> Any:
    """The parsed YAML of recipes/<relative>. Callers must not change it.

    Raises TesseraError where the file is missing or is not YAML.
    """
    path = RECIPES / relative
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 - a safe loader
    except OSError as error:
        raise TesseraError(f"recipes/{relative}: can't be read ({error.strerror})") from error
    except yaml.YAMLError as error:
        raise TesseraError(f"recipes/{relative}: is not YAML: {error}") from error


def names(folder: str) -> list[str]:
    """Names of the YAML files in recipes/<folder>, without suffix, sorted."""
    return sorted(path.stem for path in (RECIPES / folder).glob("*.yaml"))
