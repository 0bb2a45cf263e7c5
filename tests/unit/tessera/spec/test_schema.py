"""The JSON schema that editors check stack files with."""

import json
import re
from pathlib import Path

import pytest

from tessera.spec.schema import json_schema
from tessera.spec.stack import KEYS

FILE = Path(__file__).resolve().parents[4] / "stacks" / "schema.json"


def test_the_committed_schema_is_that_of_the_types(request):
    text = json.dumps(json_schema(), indent=2) + "\n"
    if request.config.getoption("--update-golden"):
        FILE.write_text(text, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == text, "run with --update-golden, and read the diff"


def objects(schema):
    config = schema["properties"]["config"]["properties"]
    yield "config", config
    for name, row in schema["$defs"].items():
        if "properties" in row:
            yield name, row["properties"]


@pytest.mark.parametrize(
    ("name", "properties"), list(objects(json_schema())), ids=lambda part: part if isinstance(part, str) else ""
)
def test_every_key_is_described(name, properties):
    assert not [key for key, row in properties.items() if not row.get("description")]


def test_keys_carry_the_prefix_and_others_with_it_are_refused():
    config = json_schema()["properties"]["config"]
    assert tuple(config["properties"]) == tuple(f"tessera:{key}" for key in KEYS)
    ((pattern, verdict),) = config["patternProperties"].items()
    assert verdict is False
    found = {key: bool(re.search(pattern, key)) for key in ("tessera:pools", "tessera:pool", "tessera:pools2", "aws:x")}
    assert found == {"tessera:pools": False, "tessera:pool": True, "tessera:pools2": True, "aws:x": False}


def test_no_key_takes_null():
    assert '"null"' not in json.dumps(json_schema())


def test_every_reference_leads_somewhere():
    schema = json_schema()
    names = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema)))
    assert names == set(schema["$defs"])


def test_words_of_the_hardware_tables_are_offered():
    pool = json_schema()["$defs"]["Pool"]["properties"]
    assert "hgx-h100" in pool["board"]["enum"]
    assert "p5.48xlarge" in pool["instance"]["enum"]
