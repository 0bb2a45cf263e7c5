"""`tessera recipe import`."""

from __future__ import annotations

import json as json_module
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import Json, emit
from cli.stack_file import MaybeStackName

if TYPE_CHECKING:
    from tessera.recipe.aicr.imported import Imported
    from tessera.recipe.resolved import ResolvedRecipe


def import_result(
    file: Annotated[Path, typer.Argument(help="A RecipeResult, as `aicr recipe` writes it.")],
    stack: MaybeStackName = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write it to one file, with all values inline.")] = None,
    json: Json = False,
) -> None:
    """Show what a recipe of NVIDIA's AI Cluster Runtime brings to a stack, and what can't be taken over.

    With --stack, the stack is resolved with it. A stack takes it for good by `tessera:components: {from: FILE}`.
    """
    from tessera.recipe.aicr import export, imported

    found = imported.read(file)
    said = export.of_import(found)
    recipe = _resolved(stack, found) if stack else None
    if out:
        _write(out, said)
    if json:
        print(json_module.dumps(_document(found, said, recipe), indent=2))
        return
    rows = [
        {"component": one["name"], "chart": one["chart"], "version": one["version"], "after": _list(one)}
        for one in said["componentRefs"]
    ]
    emit(rows, ("component", "chart", "version", "after"), as_json=False)
    if recipe:
        print(f"stack {stack} resolves with it: digest {recipe.digest}")
    for one in found.left:
        print(f"left out: {one}")


def _list(one: dict[str, Any]) -> str:
    return ", ".join(one["dependencyRefs"])


def _document(found: Imported, said: dict[str, Any], recipe: ResolvedRecipe | None) -> dict[str, Any]:
    left = [{"place": one.place, "what": one.what, "text": one.text} for one in found.left]
    return {"recipe": said, "leftOut": left, "digest": recipe.digest if recipe else None}


def _resolved(stack: str, found: Imported) -> ResolvedRecipe:
    from cli.stack_file import shown, stack_file
    from tessera.recipe.of_stack import request
    from tessera.recipe.shipped import shipped
    from tessera.spec import stack as spec
    from tessera.spec.document import read

    path = stack_file(stack)
    document = read(path, shown(path))
    read_stack = spec.stack(document.values, document)
    other = read_stack.components.model_copy(update={"from_": None})
    read_stack = read_stack.model_copy(update={"components": other})
    return shipped(replace(request(read_stack, document), components=found.layers))


def _write(path: Path, said: dict[str, Any]) -> None:
    import yaml

    from lab.record import write

    write(path, yaml.safe_dump(said, sort_keys=False, width=120), mode=0o644)
