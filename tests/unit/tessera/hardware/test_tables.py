"""Tables: every row says where it is from, keys are spelt alike, and none names a place on somebody's disk."""

import re
from datetime import date

import pytest
import yaml

from tessera import data
from tessera.hardware import boards, gpus, instances, machines, mig, prices, rows

TABLES = ["boards", "gpus", "instances", "mig", "prices"]
OPTIONAL = {"note", "efa_cards", "ena_cards"}


def all_rows(name):
    found = data.load(f"hardware/{name}.yaml")
    if name == "mig":
        return [pytest.param(row, id=f"mig {kind}.{key}") for kind in found for key, row in found[kind].items()]
    return [pytest.param(row, id=f"{name} {key}") for key, row in found.items()]


@pytest.mark.parametrize("row", [row for name in TABLES for row in all_rows(name)])
def test_every_row_says_where_it_is_from_and_since_when(row):
    assert len(row["source"]) > 5
    assert not re.search(r"(^|\s)~?/\w+/|\.md\b", row["source"]), "a reader of another machine can't follow this"
    assert type(row["date"]) is date
    assert row["date"] <= date(2026, 11, 30)


@pytest.mark.parametrize("name", ["boards", "gpus", "instances", "prices"])
def test_all_rows_of_a_table_have_the_same_keys(name):
    assert len({frozenset(row) - OPTIONAL for row in data.load(f"hardware/{name}.yaml").values()}) == 1


@pytest.mark.parametrize("name", TABLES)
def test_no_key_is_there_twice(name):
    """YAML takes the last of two equal keys, and says nothing."""
    node = yaml.compose((data.RECIPES / "hardware" / f"{name}.yaml").read_text(encoding="utf-8"))
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.MappingNode):
            keys = [key.value for key, _ in node.value]
            assert len(keys) == len(set(keys)), node.start_mark
            waiting += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value


def test_everything_can_be_read():
    assert [gpus.gpu(key) for key in gpus.names()]
    assert [boards.board(key) for key in boards.names()]
    assert [instances.instance(key) for key in instances.names()]
    assert [machines.machine(name) for name in machines.names()]
    assert [prices.prices(key) for key in instances.names()]
    assert set(rows.table("mig")["tables"].keys()) == {
        gpu.mig for gpu in map(gpus.gpu, gpus.names()) if gpu.mig not in {None, mig.NO_MIG}
    }
