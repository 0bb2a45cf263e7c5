"""The command line with a state folder and a cache of its own."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.main import main


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """$TESSERA_HOME: no test touches the user's own labs, stacks or binaries."""
    monkeypatch.setenv("TESSERA_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TESSERA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PULUMI_BACKEND_URL", raising=False)
    return tmp_path / "state"


@pytest.fixture
def tessera(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command line; its exit code, output and what it said on standard error."""

    monkeypatch.setattr(sys.modules["__main__"], "__package__", None)  # else it's called `python -m pytest` there

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["tessera", *words])
        with pytest.raises(SystemExit) as end:
            main()
        told = capsys.readouterr()
        return int(end.value.code or 0), told.out, told.err

    return run
