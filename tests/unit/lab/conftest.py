"""A state folder for each test, and a lab's home in it: no test touches the user's own labs."""

import contextlib
import subprocess
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from lab.home import LabHome, lab_home
from lab.processes import MARK
from lab.record import LabRecord, LabSpec, NodePool

PORTS = {
    "etcd": 20001,
    "kube-apiserver": 20002,
    "kube-scheduler": 20003,
    "kube-controller-manager": 20004,
    "kwok": 20005,
    "etcd-peer": 20006,
}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """$TESSERA_HOME."""
    monkeypatch.setenv("TESSERA_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def home(state: Path) -> LabHome:
    """The home of a lab with its folders, and nothing in them."""
    made = lab_home("lab-a")
    made.make()
    return made


@pytest.fixture
def record() -> LabRecord:
    """A lab of two nodes."""
    return LabRecord(LabSpec("lab-a", "1.36", (NodePool("h100", "hgx-h100", 2),)), "0123456789ab", dict(PORTS))


@pytest.fixture
def shown() -> Callable[[subprocess.Popen[bytes]], None]:
    """Waits until the process table shows a fresh process's environment: a moment after it was started."""

    def wait(process: subprocess.Popen[bytes]) -> None:
        table = psutil.Process(process.pid)
        while process.poll() is None:
            with contextlib.suppress(psutil.Error):
                if MARK in table.environ():
                    return

    return wait
