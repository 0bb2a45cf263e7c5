"""Quantities: the grammar of k8s.io/apimachinery, and the gap between GB and GiB."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.quantity import parse, read, whole
from tessera.errors import TesseraError
from tessera.hardware import gpus

NUMBERS = st.integers(0, 10**9)
BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
LARGEST = 2**63 - 1
"""Kubernetes caps what has a binary suffix."""

DECIMAL = {"": 0, "k": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("24G", 24 * 10**9, id="decimal suffix"),
        pytest.param("1Ki", 1024, id="binary suffix"),
        pytest.param("81559Mi", 81559 * 1024**2, id="as a driver publishes memory"),
        pytest.param("1.5Gi", 1536 * 1024**2, id="a fraction"),
        pytest.param(".5", Decimal("0.5"), id="no digit before the point"),
        pytest.param("5.", 5, id="no digit behind the point"),
        pytest.param("-1k", -1000, id="negative"),
        pytest.param("+2", 2, id="with a plus"),
        pytest.param("250m", Decimal("0.25"), id="thousandths"),
        pytest.param("1e3", 1000, id="exponent"),
        pytest.param("1E3", 1000, id="large exponent letter"),
        pytest.param("1E", 10**18, id="exa, which is no exponent"),
        pytest.param("1e-3", Decimal("0.001"), id="negative exponent"),
    ],
)
def test_a_quantity_is_read_exactly(text, value):
    assert parse(text) == value


@pytest.mark.parametrize(
    "text",
    ["", "G", "eighty", "1 G", "1G ", "1G\n", "1K", "1ki", "1KI", "80GB", "80GiB", "1.1.1", "1e", "12e6Gi", "1_000",
     "0x10", "NaN", "Infinity", "--1", "1,5G"],
)  # fmt: skip
def test_nonsense_is_refused_with_an_example_of_what_is_right(text):
    with pytest.raises(TesseraError, match=r"is no quantity; write a number with a suffix, such as 24G or 79Gi"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("٢٤G", id="digits of another script"),
        pytest.param("1e99999999999999999999", id="an exponent beyond all numbers"),
    ],
)
def test_what_only_python_takes_for_a_number_is_refused(text):
    with pytest.raises(TesseraError, match="is no quantity"):
        parse(text)


@given(number=NUMBERS, suffix=st.sampled_from(sorted(BINARY)))
@settings(max_examples=50)
def test_a_binary_suffix_multiplies_by_powers_of_1024_up_to_the_largest_int(number, suffix):
    assert parse(f"{number}{suffix}") == min(number * 1024 ** BINARY[suffix], LARGEST)


@given(number=NUMBERS, suffix=st.sampled_from(sorted(DECIMAL)))
@settings(max_examples=50)
def test_a_decimal_suffix_multiplies_by_powers_of_1000(number, suffix):
    assert parse(f"{number}{suffix}") == number * 1000 ** DECIMAL[suffix]


@given(number=st.integers(1, 7), letter=st.sampled_from("MGTPE"))
@settings(max_examples=50)
def test_the_binary_unit_is_more_than_the_decimal_one_and_never_by_half(number, letter):
    decimal, binary = parse(f"{number}{letter}"), parse(f"{number}{letter}i")
    assert decimal < binary < decimal * Decimal("1.5")


@given(number=NUMBERS, suffix=st.sampled_from(["", *BINARY, *list(DECIMAL)[1:]]))
@settings(max_examples=50)
def test_a_sign_turns_the_number(number, suffix):
    assert parse(f"-{number}{suffix}") == -parse(f"{number}{suffix}") == -parse(f"+{number}{suffix}")


@given(st.text(alphabet="0123456789.+-eEkKMGTPEiBnum _", max_size=8))
@settings(max_examples=150)
def test_any_text_is_a_number_or_a_refusal(text):
    try:
        assert isinstance(parse(text), Decimal)
    except TesseraError as error:
        assert repr(text) in str(error)  # noqa: PT017 - either outcome is right


@pytest.mark.parametrize("key", [key for key in gpus.names() if gpus.gpu(key).memory_mib is not None])
def test_a_product_marketed_with_n_gb_satisfies_n_g(key):
    gpu = gpus.gpu(key)
    assert parse(f"{gpu.memory_mib}Mi") >= parse(f"{gpu.marketed_gb}G")


@pytest.mark.parametrize(
    ("published", "marketed", "binary"),
    [
        pytest.param("23034Mi", "24G", "24Gi", id="L4"),
        pytest.param("46068Mi", "48G", "48Gi", id="L40S"),
        pytest.param("81559Mi", "80G", "80Gi", id="H100 SXM"),
        pytest.param("143771Mi", "141G", "141Gi", id="H200"),
    ],
)
def test_the_same_number_of_gib_would_exclude_the_product(published, marketed, binary):
    """dra.md 3.4 and the third point of its summary: "80Gi" excludes an H100 80GB."""
    assert parse(marketed) <= parse(published) < parse(binary)


AMOUNTS = st.decimals(min_value=-(10**12), max_value=10**12, places=6)


@given(AMOUNTS, AMOUNTS)
@settings(max_examples=150)
def test_sums_differences_and_order_are_those_of_decimals(left, right):
    a, b = read(f"{left:f}"), read(f"{right:f}")
    assert a.add(b).amount == left + right
    assert a.sub(b).amount == left - right
    assert a.compare(b) == (left > right) - (left < right)
    assert a.sub(b).sign == a.compare(b)
    assert (a == b) is (left == right)


@given(st.integers(-(10**15), 10**15), st.integers(-(10**15), 10**15))
@settings(max_examples=50)
def test_whole_numbers_stay_integers(left, right):
    assert read(str(left)).integer == whole(left).integer == left
    assert read(str(left)).add(whole(right)).integer == left + right


@pytest.mark.parametrize(
    ("text", "integer"),
    [
        pytest.param("81559Mi", 81559 * 2**20, id="memory of a driver"),
        pytest.param("1k", 1000, id="decimal suffix"),
        pytest.param("500m", None, id="a half"),
        pytest.param("2.0", None, id="written with a fraction"),
        pytest.param("1.5Gi", None, id="whole, but Kubernetes holds it as a large decimal"),
        pytest.param("9Ei", None, id="capped"),
    ],
)
def test_what_is_an_integer_depends_on_how_it_is_held(text, integer):
    """As isInteger and asInteger of Kubernetes' CEL, from k8s.io/apimachinery."""
    assert read(text).integer == integer


@pytest.mark.parametrize("text", ["G", "Ki", "+", "."])
def test_kubernetes_reads_no_digits_as_nothing_and_a_requirement_must_have_some(text):
    assert read(text).amount == 0
    with pytest.raises(TesseraError, match="is no quantity"):
        parse(text)
