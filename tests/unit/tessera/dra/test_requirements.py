"""Requirements: what is refused before a selector is made of it."""

import pytest

from tessera.dra.requirements import Requirement, requirement
from tessera.errors import ProblemsError


def problems(values):
    with pytest.raises(ProblemsError) as refusal:
        requirement(values)
    return refusal.value.problems


def test_nothing_asked_is_any_whole_gpu():
    assert requirement({}) == Requirement(device="gpu", memory=None, compute_capability=None)


def test_all_words_are_taken():
    wanted = requirement({"device": "gpu", "memory": "24G", "compute_capability": "8.9.0"})
    assert wanted == Requirement("gpu", "24G", "8.9.0")


def test_every_wrong_value_is_told_at_once():
    found = problems({"device": "gpus", "memory": "lots", "compute_capability": "9"})
    assert [line.split()[0] for line in found] == ["unknown", "memory", "compute_capability"]


def test_every_unknown_key_is_told_at_once_with_the_nearest_word():
    first, second = problems({"memroy": "24G", "fp8": True})
    assert first == (
        "unknown requirement 'memroy' (did you mean 'memory'?); allowed: compute_capability, device, memory"
    )
    assert second == "unknown requirement 'fp8'; allowed: compute_capability, device, memory"


def test_an_unknown_device_gets_the_nearest_word():
    assert problems({"device": "gpus"}) == ("unknown device 'gpus' (did you mean 'gpu'?); allowed: gpu",)


@pytest.mark.parametrize("text", ["8", "8.9", "8.9.0.1", "v8.9.0", "8.9.0-rc.1", "8.9.x", "", " 8.9.0", "8.9.0\n"])
def test_a_version_that_is_not_three_numbers_is_refused(text):
    """semver("8.9") is a run-time error on every node (dra.md 2.1), so it must not come so far."""
    assert problems({"compute_capability": text}) == (
        f"compute_capability {text!r} needs three numbers, such as 8.9.0",
    )


@pytest.mark.parametrize("memory", ["0", "0Gi", "-24G", "-1"])
def test_no_memory_at_all_is_refused(memory):
    assert problems({"memory": memory}) == (f"memory {memory!r} must be more than nothing",)


def test_a_memory_that_is_no_quantity_is_refused_with_an_example():
    (line,) = problems({"memory": "24GB"})
    assert line.startswith("memory '24GB' is no quantity; write a number with a suffix")


def test_unknown_keys_and_wrong_values_are_told_together():
    assert len(problems({"memroy": "24G", "device": "gpus"})) == 2


@pytest.mark.parametrize(
    ("values", "name"),
    [
        pytest.param({"compute_capability": 8.9}, "compute_capability", id="8.9, a float in YAML"),
        pytest.param({"memory": 24}, "memory", id="24, an int in YAML"),
        pytest.param({"device": None}, "device", id="nothing behind the colon"),
    ],
)
def test_a_value_of_another_type_is_refused_in_words(values, name):
    (line,) = problems(values)
    assert name in line


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("08.9.0", id="leading zero"),
        pytest.param("٨.9.0", id="digits of another script"),
    ],
)
def test_a_version_that_semver_refuses_is_refused(text):
    assert len(problems({"compute_capability": text})) == 1
