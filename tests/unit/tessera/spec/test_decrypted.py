"""Values of the engine beside the file in which they are written."""

import pytest

from tessera.spec.decrypted import placed
from tessera.spec.document import read
from tessera.spec.secret import Secret

TEXT = """config:
  tessera:cluster: {service: lab}
  tessera:site: {mirror: "m:5000", pullSecret: {secure: v1:abc}}
  tessera:overrides: {a: {b: [{secure: v1:x}, 2.0]}}
"""
DECRYPTED = {
    "cluster": {"service": "lab"},
    "site": {"mirror": "m:5000", "pullSecret": "hunter2"},
    "overrides": {"a": {"b": ["x", 2]}},
}


@pytest.fixture
def document(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(TEXT)
    return read(path)


def test_what_the_file_encrypts_is_a_secret_with_its_value(document):
    values, kept = placed(DECRYPTED, document)
    secret = values["site"]["pullSecret"]
    assert (secret, secret.reveal()) == (Secret("tessera:site.pullSecret"), "hunter2")
    assert values["overrides"]["a"]["b"][0].reveal() == "x"
    assert "hunter2" not in repr(values)
    assert kept.line(("site", "mirror")) == 3


@pytest.mark.parametrize(
    "site",
    [
        {"mirror": "m:5001", "pullSecret": "hunter2"},
        {"pullSecret": "hunter2"},
        {"mirror": "m:5000", "pullSecret": {"secure": "v1:abc"}},
        [],
    ],
)
def test_a_key_with_another_value_than_the_file_has_no_line(document, site):
    values, kept = placed({**DECRYPTED, "site": site}, document)
    assert values["site"] == site
    assert kept.line(("site",)) is None
    assert kept.line(("cluster",)) == 2


def test_a_key_that_the_engine_does_not_know_has_no_line(document):
    _, kept = placed({"cluster": {"service": "lab"}}, document)
    assert kept.line(("overrides",)) is None
