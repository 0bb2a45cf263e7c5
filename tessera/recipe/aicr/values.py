"""Values of a component: of its own file, of the file that it names, and those written inline, in this order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tessera.recipe import marks
from tessera.recipe.aicr.result import Ref
from tessera.recipe.marked import Marked
from tessera.recipe.writes import Origin, Write


def written(one: Ref, file: str, folder: Path, path: tuple[str, ...], origin: Origin) -> tuple[list[Write], list[str]]:
    """Writes below a path, and what is wrong. file: what messages call the result; folder: where it lies."""
    found: list[Write] = []
    problems: list[str] = []
    named = one.values_file
    own = f"components/{one.name}/values.yaml"
    for name in [own, named] if named and named != own else [named] if named else []:
        where = f"{file}:{one.at('valuesFile')}: {one.name}.valuesFile"
        if Path(name).is_absolute() or ".." in Path(name).parts:
            problems.append(f"{where}: must lie beside the recipe; found {name}")
        elif (folder / name).is_file():
            shown = (Path(file).parent / name).as_posix()
            root, wrong = _read(folder / name, shown)
            problems += wrong
            found += list(writes(root, path, replace(origin, file=shown)))
        elif name == named:
            problems.append(
                f"{where}: {name} is not beside the recipe, so its values are unknown; copy the components folder of "
                "AICR's recipes there, at the version that made this recipe"
            )
    return found + list(writes(one.overrides, path, origin)), problems


def _read(path: Path, shown: str) -> tuple[Marked, list[str]]:
    try:
        root, wrong = marks.read(path.read_text(encoding="utf-8"), shown)
    except (OSError, UnicodeDecodeError) as error:
        return Marked({}, 1), [f"{shown}: can't be read ({error})"]
    if root.value is None:
        return Marked({}, 1), wrong
    if not isinstance(root.value, dict):
        return Marked({}, 1), [*wrong, f"{shown}:1: must be a mapping of values"]
    return root, wrong


def writes(said: Marked, path: tuple[str, ...], origin: Origin) -> Iterator[Write]:
    """Every leaf as it is: a mapping that would mean something in a layer of ours means nothing here."""
    here = replace(origin, line=said.line)
    if isinstance(said.value, dict) and said.value:
        for key, inner in said.value.items():
            yield from writes(inner, (*path, key), origin)
    elif isinstance(said.value, dict):
        if len(path) > 3:
            yield Write(path, "empty", {}, here)
    else:
        yield Write(path, "delete" if said.value is None else "set", said.plain, here)
