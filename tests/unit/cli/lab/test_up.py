"""`tessera lab up`: how pools are written."""

import pytest
import typer

from cli.lab.up import _pool
from lab.record import NodePool


@pytest.mark.parametrize(
    ("text", "made"),
    [
        pytest.param("h100=hgx-h100:2", NodePool("h100", "hgx-h100", 2), id="whole GPUs"),
        pytest.param(
            "rtx=pcie-rtx-pro-6000:1:dynamic-mig", NodePool("rtx", "pcie-rtx-pro-6000", 1, "dynamic-mig"), id="MIG"
        ),
        pytest.param("l40s=pcie-l40s:0:none", NodePool("l40s", "pcie-l40s", 0, "none"), id="device plugin"),
    ],
)
def test_a_pool_is_read(text, made):
    assert _pool(text) == made


@pytest.mark.parametrize("text", ["", "h100", "h100=hgx-h100", "=hgx-h100:1", "h100=:1", "h100=hgx-h100:two", "a=b:1:"])
def test_a_pool_of_another_form_is_refused(text):
    with pytest.raises(typer.BadParameter, match="write NAME=BOARD:COUNT or NAME=BOARD:COUNT:SHARING"):
        _pool(text)


def test_a_sharing_that_needs_settings_is_for_a_stack_file():
    with pytest.raises(typer.BadParameter, match="found sharing 'mps', allowed here: dra, dynamic-mig, none; a stack"):
        _pool("l40s=pcie-l40s:1:mps")
