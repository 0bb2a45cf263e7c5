"""The JSON schema of a stack file, for editors: made from the types and their docstrings."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from pydantic import BaseModel

from tessera.dra import classes as catalogue
from tessera.spec import machines
from tessera.spec.model import Model, OneOf
from tessera.spec.nodes import PREFIX
from tessera.spec.stack import KEYS, Stack

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """The schema of stacks/Pulumi.<environment>.yaml."""
    stack = Stack.model_json_schema()
    types = {name: _plain(row) for name, row in stack.pop("$defs").items()}
    stack = _described("Stack", _plain(stack))
    types = {name: _described(name, row) for name, row in types.items()}
    _offer(stack, types)
    own = {f"{PREFIX}{key}": stack["properties"][key] for key in KEYS}
    others = f"^{PREFIX}(?!({'|'.join(KEYS)})$)"
    config = {
        "type": "object",
        "properties": own,
        "patternProperties": {others: False},
        "required": [f"{PREFIX}{key}" for key in stack["required"]],
    }
    return {
        "$schema": DIALECT,
        "title": "Tessera stack file",
        "type": "object",
        "properties": {"config": config},
        "required": ["config"],
        "$defs": types,
    }


def _plain(part: Any) -> Any:
    """Less pydantic's titles and long defaults, and less null, which no key of the file takes."""
    if isinstance(part, list):
        return [_plain(row) for row in part]
    if not isinstance(part, Mapping):
        return part
    kept = {key: row for key, row in part.items() if not (key == "title" and isinstance(row, str))}
    if isinstance(kept.get("default"), list | dict):
        del kept["default"]
    choices = [row for row in kept.get("anyOf", ()) if row != {"type": "null"}]
    if len(choices) == 1:
        kept = {**choices[0], **{key: row for key, row in kept.items() if key not in ("anyOf", "default")}}
    elif {"type": "null"} in kept.get("anyOf", ()):
        kept = {key: choices if key == "anyOf" else row for key, row in kept.items() if key != "default"}
    return {key: _plain(row) for key, row in kept.items()}


def _described(name: str, row: dict[str, Any]) -> dict[str, Any]:
    """The type called name, with the docstring of each field."""
    model = _models().get(name)
    for key, said in _docstrings(model) if model else ():
        row["properties"][key]["description"] = said
    return row


def _offer(stack: dict[str, Any], types: dict[str, Any]) -> None:
    """Words of other tables, which the types do not list."""
    pool = types["Pool"]["properties"]
    pool["board"]["enum"] = list(machines.board_names())
    pool["instance"]["enum"] = list(machines.instance_names())
    stack["properties"]["classes"]["items"]["enum"] = catalogue.names()


def _models() -> dict[str, type[BaseModel]]:
    return {model.__name__: model for kind in (Model, OneOf) for model in kind.__subclasses__()}


def _docstrings(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Keys of a model with the text below each field."""
    tree = ast.parse(inspect.getsource(sys.modules[model.__module__]))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == model.__name__)
    for field, text in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            key = model.model_fields[field.target.id].alias or field.target.id
            yield key, str(ast.literal_eval(text.value))
