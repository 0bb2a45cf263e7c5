"""The local CEL engine judges selectors as the scheduler does (dra.md 2.1, 2.2 and 3.11)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra import cel, slices
from tessera.dra.classes import names, service_class
from tessera.dra.selectors import DRIVER, selector
from tessera.hardware.boards import board

H100 = slices.node_slices("node-0", board("hgx-h100"), "dra")[0]["spec"]["devices"][0]
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
        pytest.param(f'{CAPABILITY}.compareTo(semver("8.9")) >= 0', "three numbers", id="version of two numbers"),
        pytest.param(f'{CAPABILITY}.compareTo(quantity("8.9")) >= 0', "no such overload", id="version with quantity"),
        pytest.param(
            f'{CAPACITY}.memory.compareTo(semver("8.9.0")) >= 0', "no matching overload", id="memory as version"
        ),
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


ODD = {
    "attributes": {
        "name": {"string": "NVIDIA H100 80GB HBM3"},
        "count": {"int": 7},
        "flag": {"bool": True},
        "version": {"version": "9.0.1-rc.1+b"},
    },
    "capacity": {"memory": {"value": "81559Mi"}, "half": {"value": "500m"}},
}
NAME, COUNT, FLAG, VERSION = (f"{ATTRIBUTES}.{name}" for name in ODD["attributes"])
MEMORY = f"{CAPACITY}.memory"


@pytest.mark.parametrize(
    ("expression", "verdict"),
    [
        pytest.param(FLAG, True, id="a flag is a verdict"),
        pytest.param(f"{COUNT} + 1 == 8", True, id="int attribute"),
        pytest.param(f"{COUNT} < 7.5", True, id="int attribute with a double"),
        pytest.param(f'{VERSION}.isLessThan(semver("9.0.1"))', True, id="a prerelease comes before its release"),
        pytest.param(f'{VERSION} == semver("9.0.1-rc.1")', True, id="a build makes no difference"),
        pytest.param('semver("v9.0", true).major() == 9 && !isSemver("v9.0")', True, id="normalized on request"),
        pytest.param(f'"9.0.1" == {VERSION}', False, id="text is no version"),
        pytest.param(f'{VERSION} != "9.0.1"', True, id="and differs from it"),
        pytest.param(f"{MEMORY}.isInteger() && {MEMORY}.asInteger() == 85520809984", True, id="quantity as integer"),
        pytest.param(f"{CAPACITY}.half.asApproximateFloat() == 0.5", True, id="quantity as double"),
        pytest.param(f'{MEMORY}.sub({MEMORY}.add(1)) == quantity("-1")', True, id="quantities add up"),
        pytest.param(f"sign({MEMORY}.sub(85520809984)) == 0", True, id="sign"),
        pytest.param(f'{NAME}.find("[0-9]+") == "100" && {NAME}.findAll("[0-9]+").size() == 3', True, id="find"),
        pytest.param('"abc".findAll("b*") == ["", "b", ""]', True, id="no empty match behind another"),
        pytest.param(f'{NAME}.split(" ").indexOf("H100") == 1', True, id="lists and strings"),
        pytest.param("[1, 3].sum() == 4 && [1, 3].max() == 3 && [1, 3].isSorted()", True, id="lists"),
        pytest.param(f"{ATTRIBUTES}.?flag.optMap(one, !one).orValue(true)", False, id="optional map"),
        pytest.param("device.allowMultipleAllocations", False, id="not shared"),
        pytest.param("has(device.attributes.nope)", True, id="every domain is there to be read"),
        pytest.param('device.attributes["no" + "pe"].size() == 0', True, id="also a computed one"),
        pytest.param("cel.bind(one, 1 / 0, true)", True, id="what nothing reads is not evaluated"),
        pytest.param("[0, 1].exists(one, 1 / one == 1)", True, id="a later element decides"),
    ],
)
def test_functions_give_what_kubernetes_gives(expression, verdict):
    assert judge(expression, ODD) is verdict


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        pytest.param(f'{VERSION} == "9.0.1"', "no such overload", id="version with text"),
        pytest.param(f"{MEMORY} == {MEMORY}.add(0)", "no such overload", id="a sum on the right of equals"),
        pytest.param(
            f'{VERSION} in ["9.0.1"] || true', "internal error", id="version among constants, even beside true"
        ),
        pytest.param(f'{VERSION} > "9"', "no such overload", id="version by operator"),
        pytest.param(f'{COUNT}.contains("7")', "no such overload", id="method of a text on an int"),
        pytest.param(NAME, "could not be converted to bool", id="text as verdict"),
        pytest.param(f"{ATTRIBUTES}.?nope.value()", "dereference", id="nothing there"),
        pytest.param(f"{CAPACITY}.half.asInteger() == 0", "cannot convert", id="no integer"),
        pytest.param(f"{COUNT} / 0 == 1", "division by zero", id="division"),
        pytest.param(f"{COUNT} + 9223372036854775807 > 0", "overflow", id="overflow"),
        pytest.param(f"{NAME}.substring(99) == {NAME}", "out of range", id="beyond the end"),
    ],
)
def test_run_time_errors_are_those_of_kubernetes(expression, said):
    assert said in judge(expression, ODD)


def test_a_device_that_several_claims_share_says_so():
    assert judge("device.allowMultipleAllocations", {**ODD, "allowMultipleAllocations": True}) is True


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
