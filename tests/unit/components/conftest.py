"""A state folder for each test."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """$TESSERA_HOME: no test touches the user's own labs."""
    monkeypatch.setenv("TESSERA_HOME", str(tmp_path / "state"))
    return tmp_path / "state"
