"""`tessera cost`."""

import json
from decimal import Decimal

import pytest

from tests.docs.pages import CHECKOUT, blocks

PAGE = blocks(CHECKOUT / "docs" / "cost.md")
EXAMPLE = next(block.text for block in PAGE if block.language == "yaml")


@pytest.fixture
def example(tmp_path):
    """The stack file of docs/cost.md."""
    path = tmp_path / "Pulumi.eks-h100-training.yaml"
    path.write_text(EXAMPLE)
    return path


def test_the_table_is_the_one_of_the_docs(tessera, example):
    code, told, said = tessera("cost", "-s", str(example))
    shown = next(block.text for block in PAGE if block.language == "text")
    assert (code, said) == (0, "")
    assert [line.rstrip() for line in told.splitlines()] == shown.splitlines()


def test_json_has_all_digits_and_the_word_unknown(tessera, example):
    code, told, _ = tessera("cost", "-s", str(example), "--json")
    found = json.loads(told)
    assert (code, found["region"], found["hours_per_month"]) == (0, "us-east-1", 730)
    chosen = {pool["name"]: offer for pool in found["pools"] for offer in pool["offers"] if offer["chosen"]}
    assert (chosen["h100"]["gpu_hour"], chosen["h100"]["pool_month"]) == ("unknown", "unknown")
    assert (chosen["dev"]["machine_hour"], chosen["dev"]["date"]) == ("10.49264", "2026-01-19")
    assert found["per_hour"]["unknown_pools"] == ["h100"]
    known = [Decimal(offer["pool_hour"]) for name, offer in chosen.items() if name != "h100"]
    assert Decimal(found["per_hour"]["known"]["USD"]) == sum(known)


def test_another_region_has_no_list_and_so_no_price(tessera, example):
    code, told, _ = tessera("cost", "-s", str(example), "--region", "mars-north-1")
    assert (code, "0.00" in told) == (0, False)
    assert "unknown: no list has on-demand prices of g6e.12xlarge in mars-north-1" in told
    assert "per hour: unknown, 3 pools unknown (h100, b200, dev)\n" in told


def test_without_a_region_nothing_is_known_and_it_says_what_to_do(tessera, example):
    example.write_text(EXAMPLE.replace("  aws:region: us-east-1\n", ""))
    code, told, _ = tessera("cost", "-s", str(example))
    assert (code, "per hour: unknown, 3 pools" in told, "USD" in told) == (0, True, False)
    assert told.endswith("No region: write aws:region into the stack file, or add --region.\n")


def test_the_lab_is_ones_own_hardware(tessera):
    code, told, _ = tessera("cost", "-s", "lab")
    assert (code, "unknown: own hardware" in told, "--region" in told) == (0, True, False)


def test_a_stack_of_another_name_is_3_and_a_file_elsewhere_too(tessera, tmp_path):
    code, _, said = tessera("cost", "-s", "labb")
    assert (code, said.startswith("tessera: unknown stack 'labb' (did you mean 'lab'?); allowed: ")) == (3, True)
    code, _, said = tessera("cost", "-s", str(tmp_path / "none.yaml"))
    assert (code, said) == (3, f"tessera: {tmp_path}/none.yaml: can't be read (No such file or directory)\n")


def test_a_stack_must_be_named_on_the_command_line_or_in_the_environment(tessera, monkeypatch):
    monkeypatch.delenv("TESSERA_STACK", raising=False)
    code, _, said = tessera("cost")
    assert (code, "TESSERA_STACK" in said) == (2, True)
    monkeypatch.setenv("TESSERA_STACK", "lab")
    assert tessera("cost")[0] == 0


def test_mistakes_in_the_stack_file_are_told_with_their_lines(tessera, example):
    example.write_text(EXAMPLE.replace("p5.48xlarge", "p5.48xlargee"))
    code, told, said = tessera("cost", "-s", str(example))
    assert (code, told, f"{example}:5" in said, "did you mean 'p5.48xlarge'" in said) == (3, "", True, True)
