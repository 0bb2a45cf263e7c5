"""The inventory as text: what is read is what was meant, byte for byte the same each time."""

import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.errors import TesseraError
from tessera.inventory import text
from tessera.inventory.stack import Inventory, InventoryHost, inventory
from tessera.spec.document import read
from tessera.spec.stack import read_file, stack

FILE = """\
config:
  tessera:cluster: {service: metal}
  tessera:site: {pullSecret: {secure: v1:CIPHERTEXT}}
  tessera:pools:
    - name: b200
      board: hgx-b200
      os: ubuntu-24.04
      hosts:
        - {name: "1e3", address: 10.0.0.1}
        - {name: "12", address: 10.0.0.2}
        - {name: "null", address: 10.0.0.3, role: control-plane}
"""


@pytest.fixture
def found(tmp_path):
    path = tmp_path / "Pulumi.dc1.yaml"
    path.write_text(FILE)
    return inventory(read_file(path))


def test_the_static_inventory_is_as_it_should_be(found):
    first = Inventory(found.hosts[:1], (("pool_b200", ("12",)),), "")
    assert text.static(first, "dc1") == (
        "# Written by `tessera inventory -s dc1`; change the stack file, not this one.\n"
        "all:\n"
        "  hosts:\n"
        '    "12":\n'
        '      ansible_host: "10.0.0.2"\n'
        "      tessera_accelerator: b200\n"
        "      tessera_architecture: amd64\n"
        "      tessera_board: hgx-b200\n"
        "      tessera_gpu: b200-sxm-180\n"
        "      tessera_os: ubuntu-24.04\n"
        "      tessera_pool: b200\n"
        "      tessera_role: worker\n"
        "      tessera_sharing: dra\n"
        "  children:\n"
        "    pool_b200:\n"
        "      hosts:\n"
        '        "12": {}\n'
    )


def test_static_and_dynamic_tell_the_same(found):
    static, dynamic = yaml.safe_load(text.static(found, "dc1"))["all"], json.loads(text.listed(found))
    assert list(static["hosts"]) == ["12", "1e3", "null"]
    assert static["hosts"] == dynamic["_meta"]["hostvars"]
    assert {name: list(row["hosts"]) for name, row in static["children"].items()} == {
        name: row["hosts"] for name, row in dynamic.items() if name not in ("_meta", "all")
    }
    assert dynamic["all"] == {"children": list(static["children"]), "hosts": ["12", "1e3", "null"]}
    for name, variables in static["hosts"].items():
        assert json.loads(text.host(found, name)) == variables


def test_a_host_that_is_not_there_gets_the_nearest_one(found):
    with pytest.raises(TesseraError, match=r"^unknown host 'nul' \(did you mean 'null'\?\); allowed: 12, 1e3, null$"):
        text.host(found, "nul")


def test_no_secret_of_the_stack_is_in_the_inventory(found, tmp_path):
    assert "CIPHERTEXT" in FILE
    assert str(read(tmp_path / "Pulumi.dc1.yaml").values["site"]["pullSecret"]) != ""
    for told in (text.static(found, "dc1"), text.listed(found), text.host(found, "12")):
        assert "CIPHERTEXT" not in told
        assert "pull" not in told.lower()


def test_an_empty_inventory_is_valid_and_says_why():
    empty = inventory(stack({"cluster": {"service": "eks"}, "pools": []}))
    told = text.static(empty, "a\nb: c")
    assert yaml.safe_load(told) == {"all": {"hosts": {}, "children": {}}}
    assert told.splitlines()[:2] == [
        "# Written by `tessera inventory -s a b: c`; change the stack file, not this one.",
        "# Service eks has no hosts to manage: its nodes are EC2 instances, which EKS makes and replaces.",
    ]
    assert json.loads(text.listed(empty)) == {"_meta": {"hostvars": {}}, "all": {"children": [], "hosts": []}}


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(st.from_regex(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", fullmatch=True), st.text(max_size=30)))
def test_any_name_and_value_survive_the_yaml(values):
    hosts = tuple(InventoryHost(name, {"ansible_host": value}) for name, value in sorted(values.items()))
    told = text.static(Inventory(hosts, (("g_1", tuple(sorted(values))),), ""), "s")
    read_back = yaml.safe_load(told)["all"]
    assert read_back["hosts"] == {name: {"ansible_host": value} for name, value in values.items()}
    assert list(read_back["children"]["g_1"]["hosts"]) == sorted(values)
    assert told == text.static(Inventory(hosts, (("g_1", tuple(sorted(values))),), ""), "s")
