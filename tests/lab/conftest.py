"""Labs for tests: each test module has one of its own."""

import pytest

from lab import lifecycle
from lab.client import Client
from lab.record import LabSpec, NodePool

SPEC = LabSpec("lab", "1.36", (NodePool("h100", "hgx-h100", 2),))


@pytest.fixture(scope="module")
def module_state(tmp_path_factory):
    """A state folder for the module's labs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TESSERA_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="module")
def lab(module_state):
    """A running lab of two HGX H100 nodes."""
    yield lifecycle.up(SPEC)
    lifecycle.down("lab")


@pytest.fixture(scope="module")
def client(lab):
    """The lab as its user sees it."""
    return Client.of(lab.home, "admin")
