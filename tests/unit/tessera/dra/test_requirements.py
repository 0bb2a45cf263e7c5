"""Requirements: what is refused before a selector is made of it."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.requirements import Requirement, nvlink_products, requirement
from tessera.errors import ProblemsError


def problems(values):
    with pytest.raises(ProblemsError) as refusal:
        requirement(values)
    return refusal.value.problems


def test_nothing_asked_is_any_whole_gpu():
    assert requirement({}) == Requirement(device="gpu")


def test_all_words_of_a_whole_gpu_are_taken():
    wanted = requirement(
        {
            "device": "gpu",
            "memory": "24G",
            "memory_at_most": "100G",
            "compute_capability": "8.9.0",
            "product": ["h100-sxm-80", "h200-sxm-141"],
            "architecture": "Hopper",
            "nvlink": True,
        }
    )
    assert wanted.product == ("h100-sxm-80", "h200-sxm-141")
    assert wanted.nvlink


def test_one_product_needs_no_list():
    assert requirement({"product": "l40s"}) == requirement({"product": ["l40s"]}) == Requirement(product=("l40s",))


def test_every_wrong_value_is_told_at_once():
    found = problems({"device": "gpus", "memory": "lots", "compute_capability": "9", "product": "h100"})
    assert [line.split()[0] for line in found] == ["unknown", "memory", "compute_capability", "unknown"]


def test_a_requirement_made_in_python_is_checked_the_same_way():
    with pytest.raises(ProblemsError, match="needs three numbers"):
        Requirement(compute_capability="8.9")


@pytest.mark.parametrize(
    ("values", "near"),
    [
        pytest.param({"memroy": "24G"}, "memory", id="requirement"),
        pytest.param({"device": "gpus"}, "gpu", id="device"),
        pytest.param({"product": "l40"}, "l40s", id="product"),
        pytest.param({"architecture": "Hoper"}, "Hopper", id="architecture"),
        pytest.param({"device": "mig", "profile": "1g.10g"}, "1g.10gb", id="profile"),
    ],
)
def test_an_unknown_word_gets_the_nearest_one(values, near):
    (line,) = problems(values)
    assert f"did you mean '{near}'?" in line


@pytest.mark.parametrize("text", ["8", "8.9", "8.9.0.1", "v8.9.0", "8.9.0-rc.1", "8.9.x", "", " 8.9.0", "8.9.0\n"])
def test_a_version_that_is_not_three_numbers_is_refused(text):
    """semver("8.9") is a run-time error on every node (dra.md 2.1), so it must not come so far."""
    assert problems({"compute_capability": text}) == (
        f"compute_capability {text!r} needs three numbers, such as 8.9.0",
    )


@pytest.mark.parametrize("text", ["08.9.0", "٨.9.0", "9.0.18446744073709551616"], ids=["zero", "script", "64 bits"])
def test_a_version_that_semver_refuses_is_refused(text):
    assert len(problems({"compute_capability": text})) == 1


@pytest.mark.parametrize("word", ["memory", "memory_at_most"])
@pytest.mark.parametrize("amount", ["0", "0Gi", "-24G", "-1"])
def test_no_memory_at_all_is_refused(word, amount):
    assert problems({word: amount}) == (f"{word} {amount!r} must be more than nothing",)


def test_a_memory_that_is_no_quantity_is_refused_with_an_example():
    (line,) = problems({"memory": "24GB"})
    assert line.startswith("memory '24GB' is no quantity; write a number with a suffix")


@pytest.mark.parametrize(
    ("values", "name"),
    [
        pytest.param({"compute_capability": 8.9}, "compute_capability", id="8.9, a float in YAML"),
        pytest.param({"memory": 24}, "memory", id="24, an int in YAML"),
        pytest.param({"memory": 0}, "memory", id="0, an int in YAML"),
        pytest.param({"memory": False}, "memory", id="no as memory"),
        pytest.param({"nvlink": "yes"}, "nvlink", id="a text as a flag"),
        pytest.param({"nvlink": 0}, "nvlink", id="a number as a flag"),
        pytest.param({"product": 40}, "product", id="a number as a product"),
        pytest.param({"product": ["l4", 40]}, "product", id="a number among products"),
        pytest.param({"product": []}, "product", id="an empty list of products"),
        pytest.param({"device": None}, "device", id="nothing behind the colon"),
        pytest.param({"device": ["gpu"]}, "device", id="a list as a device"),
    ],
)
def test_a_value_of_another_type_is_refused_in_words(values, name):
    (line,) = problems(values)
    assert line.startswith(name)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        pytest.param({"profile": "1g.10gb"}, "profile can't be asked of a gpu", id="profile of a whole GPU"),
        pytest.param({"device": "mig", "nvlink": True}, "nvlink can't be asked of a mig", id="NVLink of a slice"),
        pytest.param({"device": "nic", "memory": "1G"}, "memory can't be asked of a nic", id="memory of a card"),
        pytest.param(
            {"memory": "80G", "memory_at_most": "79Gi", "compute_capability": "9.0.0"}, None, id="bounds that meet"
        ),
        pytest.param({"memory": "80G", "memory_at_most": "74Gi"}, "no device is both", id="bounds that exclude"),
        pytest.param({"product": ["l4", "l4"]}, "product l4 is there twice", id="product twice"),
        pytest.param({"product": "h100-sxm-96"}, "what its driver calls it is unknown", id="product without a name"),
        pytest.param({"product": "l40s", "nvlink": True}, "product l40s has no NVLink", id="card with NVLink"),
        pytest.param({"memory": "1" * 65}, "memory has 65 characters, allowed 64", id="endless number"),
        pytest.param(
            {"device": "mig", "profile": "1g.10gb", "product": "h200-sxm-141"},
            "profile 1g.10gb is none of h200-sxm-141",
            id="profile of another product",
        ),
    ],
)
def test_words_that_do_not_go_together_are_refused(values, said):
    if said is None:
        assert requirement(values)
    else:
        (line,) = problems(values)
        assert said in line


def test_a_profile_that_means_different_shares_needs_its_product():
    """1g.24gb: a quarter of an RTX PRO 6000, but a seventh of the compute of an H100 NVL."""
    (line,) = problems({"device": "mig", "profile": "1g.24gb"})
    assert "name the product beside it" in line
    assert requirement({"device": "mig", "profile": "1g.24gb", "product": "rtx-pro-6000-se"})


def test_nvlink_joins_boards_and_superchips_but_no_cards():
    found = nvlink_products()
    assert {"h100-sxm-80", "b200-sxm-180", "gb200-186"} <= set(found)
    assert not {"h100-pcie-80", "h100-nvl-94", "l40s", "rtx-pro-6000-se"} & set(found)


@given(
    st.dictionaries(
        st.sampled_from(
            ["device", "memory", "memory_at_most", "compute_capability", "product", "profile", "nvlink", "x"]
        ),
        st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.lists(st.text(max_size=4), max_size=2),
    )
)
@settings(max_examples=150)
def test_whatever_is_written_is_taken_or_refused_in_words(values):
    with suppress(ProblemsError):
        requirement(values)
