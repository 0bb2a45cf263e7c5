"""Ansible itself reads the inventory, as a file and through the script."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import CHECKOUT, blocks

BIN = Path(sys.executable).parent
SCRIPT = CHECKOUT / "inventories" / "tessera.py"
EXAMPLE = next(block.text for block in blocks(CHECKOUT / "docs" / "inventory.md") if block.language == "yaml")


@pytest.fixture
def stack(tmp_path):
    """A metal stack with a control plane and two GPU hosts."""
    path = tmp_path / "Pulumi.dc1.yaml"
    path.write_text(EXAMPLE)
    return path


@pytest.fixture
def run(tmp_path):
    """Runs a program of Ansible's; what it printed. Anything that it warns of is a failure."""

    config = tmp_path / "ansible.cfg"
    config.write_text("[defaults]\n")  # none but this one is read

    def call(stack, *words, said=""):
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "LC_ALL": "C.UTF-8",
            "ANSIBLE_CONFIG": str(config),
            "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true",
            "TESSERA_STACK": str(stack),
        }
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=env, cwd=tmp_path)
        assert (done.returncode, done.stderr.strip()) == (0, said), done.stdout
        return done.stdout

    return call


@pytest.fixture
def static(run, stack, tmp_path):
    """The static inventory in a file."""
    path = tmp_path / "inventory.yml"
    path.write_text(run(stack, BIN / "tessera", "inventory"))
    return path


def test_ansible_reads_the_same_from_the_file_and_from_the_script(run, stack, static):
    read = [json.loads(run(stack, BIN / "ansible-inventory", "-i", source, "--list")) for source in (static, SCRIPT)]
    assert read[0] == read[1]
    assert set(read[0]) == {
        "_meta", "all", "accelerator_b200", "os_debian_13", "os_ubuntu_24_04", "pool_b200_train", "pool_control",
        "role_control_plane", "role_worker",
    }  # fmt: skip
    assert read[0]["role_worker"]["hosts"] == ["b200-1", "b200-2"]
    assert read[0]["_meta"]["hostvars"]["b200-1"]["tessera_gpu"] == "b200-sxm-180"


def test_ansible_takes_hosts_by_pattern_and_reads_their_variables(run, stack):
    told = run(
        stack,
        BIN / "ansible",
        "-i",
        SCRIPT,
        "role_worker:&accelerator_b200",
        "-m",
        "ansible.builtin.debug",
        "-a",
        "msg={{ ansible_host }}/{{ tessera_board }}/{{ hostvars['cp-1'].tessera_board is none }}",
    )
    assert [line.strip() for line in told.splitlines() if "msg" in line] == [
        '"msg": "10.0.1.11/hgx-b200/True"',
        '"msg": "10.0.1.12/hgx-b200/True"',
    ]


def test_ansible_reads_one_hosts_variables_through_the_script(run, stack):
    (asked, told) = (
        json.loads(run(stack, *words))
        for words in ((BIN / "ansible-inventory", "-i", SCRIPT, "--host", "cp-1"), (SCRIPT, "--host", "cp-1"))
    )
    assert asked == told
    assert told["tessera_role"] == "control-plane"


def test_ansible_reads_an_empty_inventory_and_shows_why_it_is_empty(run):
    said = "[ERROR]: stack lab: service lab has no hosts to manage: its nodes are simulated"
    told = json.loads(run("lab", BIN / "ansible-inventory", "-i", SCRIPT, "--list", said=said))
    assert told["_meta"]["hostvars"] == {}
    assert told["all"] == {"children": ["ungrouped"]}


def test_ansible_reads_an_empty_static_inventory(run, tmp_path):
    path = tmp_path / "inventory.yml"
    why = "stack lab: service lab has no hosts to manage: its nodes are simulated"
    path.write_text(run("lab", BIN / "tessera", "inventory", said=why))
    assert json.loads(run("lab", BIN / "ansible-inventory", "-i", path, "--list"))["_meta"]["hostvars"] == {}


def test_a_stack_that_is_not_there_is_one_sentence_of_ansibles_too(tmp_path):
    env = {**os.environ, "TESSERA_STACK": "nothing", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8",
           "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true"}  # fmt: skip
    words = [BIN / "ansible-inventory", "-i", SCRIPT, "--list"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    assert done.returncode != 0
    assert "unknown stack 'nothing'" in done.stderr
    assert "Traceback" not in done.stderr
