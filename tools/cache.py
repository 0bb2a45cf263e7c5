"""The per-user cache: where built tools lie, and under which key."""

import hashlib
import shutil
import tempfile
from pathlib import Path

from tools.go import Go
from tools.root import root
from tools.versions import Tool


def binary(tool: Tool, go: Go) -> Path:
    """Where this tool's binary lies once it is built with this Go, whether it is there or not."""
    return home(tool) / key(tool, go) / tool.name


def home(tool: Tool) -> Path:
    """The folder with all builds of a tool, one folder for each key."""
    return root() / "tools" / tool.name


def key(tool: Tool, go: Go) -> str:
    """16 hex digits that change with everything the binary is made from."""
    digest = hashlib.sha256()
    for path in sorted(tool.folder.iterdir()):
        digest.update(f"{path.name}\0{len(path.read_bytes())}\0".encode() + path.read_bytes())
    for text in (tool.package, tool.ldflags, *tool.copies, go.version, go.platform):
        digest.update(f"{text}\0".encode())
    return digest.hexdigest()[:16]


def scratch(tool: Tool) -> Path:
    """A new folder to build in, beside the builds, so that a rename puts it in its place."""
    home(tool).mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix=".building-", dir=home(tool)))


def remove_abandoned(tool: Tool) -> None:
    """Removes what a killed build left; only who holds the lock may call it."""
    for path in home(tool).glob(".building-*"):
        shutil.rmtree(path, ignore_errors=True)
