#!/usr/bin/env python3
"""A dynamic inventory: `TESSERA_STACK=dc1 ansible-inventory -i inventories/tessera.py --graph`.

Hands Ansible's question on to `tessera inventory` in the checkout's own Python environment.
"""

import os
import sys
from pathlib import Path

TESSERA = Path(__file__).resolve().parent.parent / ".venv" / "bin" / "tessera"

if not TESSERA.exists():
    sys.exit(f"{TESSERA} is not there; run `make setup` in the checkout")
os.execv(TESSERA, [str(TESSERA), "inventory", *sys.argv[1:]])  # noqa: S606 - our own program, and no shell
