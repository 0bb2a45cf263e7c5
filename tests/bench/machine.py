"""Where a measurement was made."""

from __future__ import annotations

import os
import platform
from typing import Any


def machine() -> dict[str, Any]:
    """Cores, architecture and system; whatever else ran beside is not known."""
    return {"cores": os.cpu_count(), "architecture": platform.machine(), "system": platform.system()}
