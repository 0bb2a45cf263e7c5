"""The page about sharing is true: what it says that a node counts, and its example."""

import re

import pytest
import yaml

from tessera.hardware.boards import names
from tessera.hardware.machines import machine
from tessera.sharing.advertised import advertised
from tessera.spec.stack import stack
from tests.docs.pages import CHECKOUT, blocks

PAGE = CHECKOUT / "docs" / "sharing.md"
ROWS = re.findall(r"^\| `([\w.-]+)` \| `(.+)` \|(?: `(nvidia.+)`)? \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def counted(pool):
    (read,) = stack({"cluster": {"service": "lab" if "board" in pool else "eks"}, "pools": [pool]}).pools
    return advertised(machine(read.board or read.instance), read.way)


@pytest.mark.parametrize(("key", "sharing", "counts"), [row for row in ROWS if row[0] in names()])
def test_a_node_counts_what_the_page_says(key, sharing, counts):
    pool = {"name": "p", "board": key, "size": 1, "sharing": yaml.safe_load(sharing)}
    assert counted(pool) == yaml.safe_load(f"{{{counts}}}")


def test_the_page_shows_every_way():
    shown = {"dra", "dynamic-mig", "none", "mig", "time-slicing", "mps"}
    found = [yaml.safe_load(sharing) for key, sharing, _ in ROWS if key in names()]
    assert {word for one in found for word in ([one] if isinstance(one, str) else one)} == shown


def test_the_example_of_a_mixed_node_counts_as_the_page_says():
    text = next(block.text for block in blocks(PAGE) if block.language == "yaml")
    (pool,) = yaml.safe_load(text)["tessera:pools"]
    assert counted(pool) == {"nvidia.com/gpu": 4, "nvidia.com/mig-1g.24gb": 8}


def test_the_python_of_the_page_runs():
    text = next(block.text for block in blocks(PAGE) if block.language == "python")
    exec(compile(text, str(PAGE), "exec"), {})
