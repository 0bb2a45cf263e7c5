"""Why a device was chosen, condition by condition."""

import pytest

from tessera.dra import slices
from tessera.dra.explain import reasons, sentence
from tessera.dra.requirements import Requirement
from tessera.dra.selectors import DRIVER, selector
from tessera.hardware.boards import board

DEVICE = slices.node_slices("node-0", board("hgx-h100"), "dra")[0]["spec"]["devices"][0]
ATTRIBUTES = f'device.attributes["{DRIVER}"]'


def explained(*selectors):
    return sentence(reasons(selectors, DEVICE, DRIVER))


def test_a_fitting_device_is_explained_with_its_own_values():
    wanted = Requirement(memory="24G", compute_capability="8.9.0")
    assert explained(selector(wanted)) == (
        "driver gpu.nvidia.com, type gpu, memory 81559Mi >= 24G, cudaComputeCapability 9.0.0 >= 8.9.0"
    )


def test_a_condition_that_does_not_hold_says_so():
    assert "memory 81559Mi >= 80Gi (does not hold)" in explained(selector(Requirement(memory="80Gi")))


def test_a_condition_that_errs_shows_the_error():
    told = explained('device.attributes["driver.nvidia.com"].vram_gb >= 24')
    assert told.startswith('device.attributes["driver.nvidia.com"].vram_gb >= 24 (error: ')
    assert "vram_gb" in told.partition("(error: ")[2]


def test_a_missing_attribute_reads_as_missing():
    assert explained(f'{ATTRIBUTES}.fabric == "x"').startswith("fabric missing (error: ")


def test_a_guard_that_holds_is_left_out_and_one_that_does_not_is_shown():
    held, failed = f'"memory" in device.capacity["{DRIVER}"]', f'"shares" in device.capacity["{DRIVER}"]'
    assert explained(f"{held} && {failed}") == f"{failed} (does not hold)"


def test_a_condition_of_another_form_is_shown_as_written():
    assert explained(f'{ATTRIBUTES}.productName.contains("H100")') == f'{ATTRIBUTES}.productName.contains("H100")'


def test_the_selectors_of_class_and_request_come_in_order():
    assert explained('device.driver == "gpu.nvidia.com"', f'{ATTRIBUTES}.brand == "Nvidia"') == (
        "driver gpu.nvidia.com, brand Nvidia"
    )


def test_no_selector_gives_no_reason():
    assert explained() == ""


def test_a_qualified_name_is_explained_with_its_value():
    told = explained('device.attributes["resource.kubernetes.io"].pcieRoot == "pci0000:15"')
    assert told == "pcieRoot pci0000:15"


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param(f"{ATTRIBUTES}.driverVersion.major() >= 580", id="a function that only the API server has"),
        pytest.param(f'{ATTRIBUTES}.driverVersion.compareTo(semver("v580.0.0", true)) > 0', id="semver with two words"),
    ],
)
def test_a_selector_that_the_local_engine_does_not_know_is_told_as_such(expression):
    assert "major" in explained(expression) or "semver" in explained(expression)
