"""A state folder for each test, and a lab's home in it: no test touches the user's own labs."""

from pathlib import Path

import pytest

from lab.home import LabHome, lab_home
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
