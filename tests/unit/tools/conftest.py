"""A machine for these tests: its own cache, its own PATH, and a `go` that is a script."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

GO = """#!/bin/sh
echo "$@" >> {folder}/go-calls
case "$1" in
version) echo "go version go${{FAKE_GO_VERSION:-1.26.8}} linux/amd64" ;;
env) echo {folder}/gocache; echo {folder}/gomodcache ;;
build)
    {build}
    while [ "$1" != -o ]; do shift; done
    printf '#!/bin/sh\\necho kwok version v%s\\n' "${{FAKE_BUILT_VERSION:-0.8.0}}" > "$2"
    chmod +x "$2" ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bin/ as the first of PATH and cache/ as Tessera's cache; there is no Go yet."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("TESSERA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TESSERA_TOOLS_PATH", raising=False)
    monkeypatch.delenv("GOTOOLCHAIN", raising=False)
    return tmp_path


@pytest.fixture
def program(machine: Path) -> Callable[[str, str], Path]:
    """Writes an executable shell script into the machine's bin/."""

    def write(name: str, body: str) -> Path:
        path = machine / "bin" / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    return write


@pytest.fixture
def fake_go(machine: Path) -> Callable[[str], Path]:
    """Installs a `go` that runs these shell lines when it builds; returns the file that lists its calls."""

    def install(build: str = "") -> Path:
        path = machine / "bin" / "go"
        path.write_text(GO.format(folder=machine, build=build))
        path.chmod(0o755)
        return machine / "go-calls"

    return install
