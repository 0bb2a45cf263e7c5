"""tessera:platform:ChartVersion: its state is what an update is held against."""

import pytest

from components.provider.chart_version import ChartVersionResource
from components.provider.resource import Call, Difference
from tessera.errors import TesseraError

CALL = Call("urn:pulumi:dev::tessera::tessera:platform:ChartVersion::kueue", lambda line: None)
OLD = {"component": "kueue", "version": "0.19.2", "allowMajor": False}


def diff(**changes):
    return ChartVersionResource().diff(CALL, "kueue", OLD, OLD, {**OLD, **changes})


def test_step_within_a_major_version_is_an_update_and_none_is_none():
    assert diff(version="0.19.3") == Difference(changed=("version",))
    assert diff(allowMajor=True) == Difference()


def test_step_to_another_major_version_needs_to_be_allowed():
    with pytest.raises(TesseraError, match=r"component kueue: 0\.19\.2 -> 0\.20\.0 is a step to another major version"):
        diff(version="0.20.0")
    assert diff(version="0.20.0", allowMajor=True) == Difference(changed=("version",))


def test_what_is_no_version_is_refused():
    _, reasons = ChartVersionResource().check(CALL, {**OLD, "version": "newest"})
    assert "is no version; found 'newest'" in reasons["version"]


def test_it_notes_what_is_installed():
    resource = ChartVersionResource()
    assert resource.create(CALL, OLD) == ("kueue", OLD)
    assert resource.update(CALL, "kueue", OLD) == resource.plan("kueue", {}, OLD) == OLD
    assert resource.read(CALL, "kueue", OLD) == (OLD, OLD)
    assert resource.read(CALL, "kueue", {}) is None
