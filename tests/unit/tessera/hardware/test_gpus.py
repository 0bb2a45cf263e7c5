"""GPUs: every product of the issue, and what is unknown stays so."""

import re

import pytest

from tessera.errors import TesseraError
from tessera.hardware import gpus

GPUS = [pytest.param(gpus.gpu(key), id=key) for key in gpus.names()]


def test_all_that_a_recipe_speaks_of_is_there():
    assert {"a100", "h100", "h200", "b200", "b300", "gb200", "gb300", "l40s", "l4", "rtx-pro-6000"} <= set(
        gpus.accelerators()
    )
    marketed = {(gpu.accelerator, gpu.marketed_gb) for gpu in map(gpus.gpu, gpus.names())}
    assert {("a100", 40), ("a100", 80), ("h100", 80), ("h100", 94), ("h100", 96), ("h200", 141)} <= marketed


@pytest.mark.parametrize("gpu", GPUS)
def test_n_marketed_gb_are_no_more_than_what_nvml_reports(gpu):
    """GB are 10^9 bytes. A class that asks for the number of the data sheet must get the product."""
    if gpu.memory_mib is not None:
        assert gpu.marketed_gb * 10**9 <= gpu.memory_mib * 1024**2 < gpu.marketed_gb * 1024**3 * 1.1


@pytest.mark.parametrize("gpu", GPUS)
def test_nothing_unknown_is_0_or_empty(gpu):
    for name in ("product", "brand", "memory_mib", "form", "min_driver", "mig_min_driver", "mig"):
        value = getattr(gpu, name)
        assert value is None or value, name


@pytest.mark.parametrize("gpu", GPUS)
def test_values_have_the_form_that_a_slice_and_mig_parted_want(gpu):
    assert re.fullmatch(r"\d+\.\d+\.0", gpu.compute_capability)
    assert gpu.form in {"sxm", "pcie", "superchip"}
    assert all(re.fullmatch(r"\d{3}(\.\d+){0,2}", driver) for driver in (gpu.min_driver, gpu.mig_min_driver) if driver)
    assert gpu.pci
    assert all(re.fullmatch(r"0x[0-9A-F]{4}10DE", device) for device in gpu.device_filters)


def test_no_two_products_share_a_pci_id_or_a_name():
    found = [gpus.gpu(key) for key in gpus.names()]
    ids = [device for gpu in found for device in gpu.pci]
    products = [gpu.product for gpu in found if gpu.product]
    assert len(ids) == len(set(ids))
    assert len(products) == len(set(products))


@pytest.mark.parametrize(
    ("key", "fp8"),
    [("a100-sxm-80", False), ("l4", True), ("l40s", True), ("h100-sxm-80", True), ("b300-sxm-269", True)],
)
def test_fp8_came_with_ada(key, fp8):
    assert gpus.gpu(key).fp8 is fp8


def test_blackwell_has_open_modules_only():
    assert {gpu.modules for gpu in map(gpus.gpu, gpus.names()) if gpu.architecture == "Blackwell"} == {"open"}


def test_what_nobody_knows_stays_unknown():
    assert gpus.gpu("h100-sxm-96").memory_mib is None
    assert gpus.gpu("rtx-pro-4500-se").mig is None
    assert gpus.gpu("l4").mig == gpus.NO_MIG


def test_an_unknown_gpu_gets_the_nearest_word():
    with pytest.raises(TesseraError, match=r"^unknown GPU 'h100-sxm-8' \(did you mean 'h100-sxm-80'\?\)"):
        gpus.gpu("h100-sxm-8")
