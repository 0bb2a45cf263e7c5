"""The region that a stack file states."""

import pytest

from tessera.cost.region import stated
from tessera.errors import TesseraError


@pytest.mark.parametrize(
    ("text", "region"),
    [
        pytest.param("config: {'aws:region': eu-central-1}", "eu-central-1", id="stated"),
        pytest.param("config: {'tessera:cluster': {service: eks}}", None, id="not stated"),
        pytest.param("config: {'aws:region': {secure: v1:xx}}", None, id="encrypted"),
        pytest.param("config: {'aws:region': ''}", None, id="empty"),
        pytest.param("config:", None, id="no configuration"),
        pytest.param("[]", None, id="no stack file"),
    ],
)
def test_a_region_is_read(tmp_path, text, region):
    path = tmp_path / "Pulumi.a.yaml"
    path.write_text(text)
    assert stated(path) == region


@pytest.mark.parametrize("raw", [b"config: {", b"\xff\xfe\x00", None], ids=["broken", "binary", "missing"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, raw):
    path = tmp_path / "Pulumi.a.yaml"
    if raw is not None:
        path.write_bytes(raw)
    with pytest.raises(TesseraError, match=r"Pulumi\.a\.yaml: can't be read as YAML$"):
        stated(path)
