"""`tessera inventory`."""

import json

import pytest
import yaml

from tests.docs.pages import CHECKOUT, blocks

EXAMPLE, SHOWN = (block.text for block in blocks(CHECKOUT / "docs" / "inventory.md") if block.language == "yaml")


@pytest.fixture
def example(tmp_path):
    """The stack file of docs/inventory.md."""
    path = tmp_path / "Pulumi.dc1.yaml"
    path.write_text(EXAMPLE)
    return str(path)


def test_the_static_inventory_is_the_one_of_the_docs(tessera, example):
    code, told, said = tessera("inventory", "-s", example)
    assert (code, said) == (0, "")
    assert told.replace(example, "dc1") == SHOWN


def test_the_same_stack_gives_the_same_bytes(tessera, example):
    for words in ((), ("--list",), ("--host", "b200-1")):
        assert tessera("inventory", "-s", example, *words) == tessera("inventory", "-s", example, *words)


def test_list_and_host_answer_as_a_dynamic_inventory(tessera, example):
    code, told, said = tessera("inventory", "-s", example, "--list")
    found = json.loads(told)
    assert (code, said, found["role_control_plane"]) == (0, "", {"hosts": ["cp-1"]})
    for name, variables in found["_meta"]["hostvars"].items():
        code, told, said = tessera("inventory", "-s", example, "--host", name)
        assert (code, said, json.loads(told)) == (0, "", variables)


def test_a_stack_without_hosts_is_empty_and_says_why_beside_it(tessera):
    why = "stack lab: service lab has no hosts to manage: its nodes are simulated\n"
    code, told, said = tessera("inventory", "-s", "lab")
    assert (code, yaml.safe_load(told), said) == (0, {"all": {"hosts": {}, "children": {}}}, why)
    code, told, said = tessera("inventory", "-s", "lab", "--list")
    assert (code, json.loads(told)["_meta"], said) == (0, {"hostvars": {}}, why)


def test_an_unknown_host_is_3_and_gets_the_nearest_one(tessera, example):
    code, told, said = tessera("inventory", "-s", example, "--host", "b200-11")
    assert (code, told) == (3, "")
    assert said.startswith("tessera: unknown host 'b200-11' (did you mean 'b200-1'?); allowed: b200-1, b200-2, cp-1")


def test_list_and_host_together_are_wrong_words(tessera, example):
    code, _, said = tessera("inventory", "-s", example, "--list", "--host", "cp-1")
    assert (code, "choose one of --list and --host" in said) == (2, True)
