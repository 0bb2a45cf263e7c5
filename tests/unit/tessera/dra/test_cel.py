"""The local CEL engine judges selectors as the scheduler does (dra.md 2.1, 2.2 and 3.11)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra import cel, slices
from tessera.dra.classes import names, service_class
from tessera.dra.selectors import DRIVER, selector
from tessera.hardware.boards import board

H100 = slices.devices("node-0", board("hgx-h100"))[0]
ADA = {**H100, "attributes": {**H100["attributes"], "cudaComputeCapability": {"version": "8.9.0"}}}
CHANNEL = {"name": "channel-0", "attributes": {"type": {"string": "channel"}, "id": {"int": 0}}}
COMPUTE_DOMAIN = "compute-domain.nvidia.com"
ATTRIBUTES, CAPACITY = f'device.attributes["{DRIVER}"]', f'device.capacity["{DRIVER}"]'
CAPABILITY = f"{ATTRIBUTES}.cudaComputeCapability"
MISSING = f'{ATTRIBUTES}.fp8_supported == "x"'


def judge(expression, device=H100, driver=DRIVER):
    """The verdict, or the text of what the compiler says."""
    try:
        return cel.evaluate(expression, device, driver)
    except Exception as error:  # noqa: BLE001 - what kind of error it is does not matter here
        return str(error)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        pytest.param('device.attributes["driver.nvidia.com"].vram_gb >= 24', "vram_gb", id="wrong domain"),
        pytest.param(f"{ATTRIBUTES}.vram_gb >= 24", "vram_gb", id="no such attribute"),
        pytest.param(f"{ATTRIBUTES}.fp8_supported", "fp8_supported", id="no such flag"),
        pytest.param(f'{CAPACITY}.memory >= quantity("24G")', "no matching overload", id="operator on a Quantity"),
        pytest.param(f"{CAPACITY}.memory >= 24", "matching overload", id="operator between Quantity and number"),
        pytest.param(f'{CAPABILITY}.compareTo(semver("8.9")) >= 0', "expected 3", id="version of two numbers"),
        pytest.param(f'{CAPABILITY}.compareTo(quantity("8.9")) >= 0', "no such overload", id="version with quantity"),
        pytest.param(f'{CAPACITY}.memory.compareTo(semver("8.9.0")) >= 0', "no such overload", id="memory as version"),
        pytest.param(f'{CAPACITY}.memory.compareTo(quantity("24GB")) >= 0', "no quantity", id="unit that is none"),
        pytest.param("device.driver ==", "Syntax error", id="half a sentence"),
    ],
)
def test_a_wrong_selector_is_an_error_that_names_the_cause(expression, said):
    verdict = judge(expression)
    assert not isinstance(verdict, bool)
    assert said in verdict


@pytest.mark.parametrize(
    ("expression", "verdict"),
    [
        pytest.param(f'{CAPABILITY}.isGreaterThan(semver("8.9.0"))', False, id="greater drops the L40S"),
        pytest.param(f'{CAPABILITY}.compareTo(semver("8.9.0")) >= 0', True, id="at least keeps it"),
        pytest.param(f'{CAPABILITY}.isLessThan(semver("10.0.0"))', True, id="by number, not by letter"),
    ],
)
def test_versions_are_compared_as_versions(expression, verdict):
    assert judge(expression, ADA) is verdict


def test_a_selector_without_guard_errs_on_a_compute_domain_device():
    assert "type" in judge(f'{ATTRIBUTES}.type == "gpu"', CHANNEL, COMPUTE_DOMAIN)


@pytest.mark.parametrize("name", names())
def test_the_catalogues_classes_refuse_a_compute_domain_device_without_error(name):
    assert judge(selector(service_class(name).requires), CHANNEL, COMPUTE_DOMAIN) is False


@pytest.mark.parametrize(
    ("expression", "verdict"),
    [
        pytest.param(f"false && {MISSING}", False, id="false and error"),
        pytest.param(f"{MISSING} && false", False, id="error and false"),
        pytest.param(f"true || {MISSING}", True, id="true or error"),
        pytest.param(f"{MISSING} || true", True, id="error or true"),
    ],
)
def test_a_decided_operator_absorbs_the_error_of_its_other_side(expression, verdict):
    assert judge(expression) is verdict


@pytest.mark.parametrize("expression", [f"true && {MISSING}", f"{MISSING} && true", f"false || {MISSING}"])
def test_an_undecided_operator_passes_the_error_on(expression):
    assert "fp8_supported" in judge(expression)


@pytest.mark.parametrize(
    ("expression", "verdict"),
    [
        pytest.param('"nope.example" in device.attributes', False, id="unknown domain"),
        pytest.param(f'"{DRIVER}" in device.attributes', True, id="known domain"),
        pytest.param('"memory" in device.capacity["nope.example"]', False, id="name in an unknown domain"),
        pytest.param(f'"fp8" in {ATTRIBUTES}', False, id="unknown name"),
        pytest.param(f"has({ATTRIBUTES}.fp8)", False, id="has"),
        pytest.param('has(device.attributes["nope.example"].x)', False, id="has in an unknown domain"),
        pytest.param(f"{ATTRIBUTES}.?fp8.orValue(true)", True, id="optional of an unknown name"),
        pytest.param(f'{ATTRIBUTES}.?type.orValue("none") == "gpu"', True, id="optional of a known name"),
        pytest.param('device.attributes[?"nope.example"].?x.orValue(7) == 7', True, id="optional domain"),
        pytest.param('device.attributes["resource.kubernetes.io"].pcieRoot == "pci0000:15"', True, id="qualified name"),
        pytest.param(f'cel.bind(m, {CAPACITY}.memory, m.isGreaterThan(quantity("79Gi")))', True, id="binding"),
        pytest.param(f'{ATTRIBUTES}.productName.lowerAscii().contains("h100")', True, id="strings"),
        pytest.param(f'{CAPACITY}.memory.compareTo(quantity("80Gi")) >= 0', False, id="80Gi excludes an H100"),
        pytest.param(f'{CAPACITY}.memory.compareTo(quantity("80G")) >= 0', True, id="80G does not"),
    ],
)
def test_missing_things_and_extensions_behave_as_in_the_api_server(expression, verdict):
    assert judge(expression) is verdict


@pytest.mark.parametrize("domain", ["nope.example", "driver.nvidia.com"])
def test_in_guards_what_is_read_of_the_same_unknown_domain(domain):
    assert judge(f'"{domain}" in device.attributes && device.attributes["{domain}"].x == 1') is False


@given(st.tuples(*[st.integers(0, 120)] * 3), st.tuples(*[st.integers(0, 120)] * 3))
@settings(max_examples=40)
def test_semver_orders_like_three_numbers(left, right):
    a, b = (f'semver("{".".join(map(str, numbers))}")' for numbers in (left, right))
    assert cel.evaluate(f"{a}.compareTo({b}) == {(left > right) - (left < right)}", H100, DRIVER) is True


@given(st.integers(0, 10**6), st.sampled_from(["", "k", "M", "G", "Ki", "Mi", "Gi"]))
@settings(max_examples=40)
def test_a_quantity_equals_itself_and_is_less_than_one_more(number, suffix):
    a, b = f'quantity("{number}{suffix}")', f'quantity("{number + 1}{suffix}")'
    assert cel.evaluate(f"{a}.compareTo({a}) == 0 && {a}.isLessThan({b}) && {b}.isGreaterThan({a})", H100, DRIVER)
