"""Which steps between versions of a chart are to another major one."""

import pytest

from tessera.errors import TesseraError
from tessera.platform.version import refusal, series


@pytest.mark.parametrize(
    ("installed", "wanted", "refused"),
    [
        pytest.param("1.2.3", "1.9.0", False, id="minor"),
        pytest.param("v1.21.1", "1.22.0", False, id="with and without v"),
        pytest.param("1.2.3", "2.0.0", True, id="major"),
        pytest.param("88.5.3", "87.0.0", True, id="back over a major"),
        pytest.param("0.19.2", "0.19.3", False, id="patch below one"),
        pytest.param("0.19.2", "0.20.0", True, id="minor below one"),
        pytest.param("0.19.2", "1.0.0", True, id="to one"),
        pytest.param("26.7.0-rc.1", "26.7.0+build", False, id="pre-release"),
    ],
)
def test_step_to_another_major_version_is_refused_unless_allowed(installed, wanted, refused):
    assert bool(refusal("kueue", installed, wanted, allow_major=False)) == refused
    assert refusal("kueue", installed, wanted, allow_major=True) == ""


def test_what_is_no_version_is_refused():
    with pytest.raises(TesseraError, match="is no version; found 'latest'"):
        series("latest")
