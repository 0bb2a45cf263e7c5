"""Where Tessera's per-user cache is."""

import os
from pathlib import Path


def root() -> Path:
    """$TESSERA_CACHE, else tessera under $XDG_CACHE_HOME, else under ~/.cache. It need not exist yet."""
    own = os.environ.get("TESSERA_CACHE")
    if own:
        return Path(own).expanduser().absolute()
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "tessera"
