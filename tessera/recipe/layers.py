"""Layers: the files of recipes/layers, read strictly, with all problems of all files told at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from tessera import naming
from tessera.errors import ProblemsError
from tessera.recipe import conditions, fields, marks
from tessera.recipe.conditions import When, Words
from tessera.recipe.marked import Marked
from tessera.recipe.writes import Origin, Write, writes

FORMAT = 1
FOLDERS = ("base", "service", "kubernetes", "accelerator", "os", "intent", "framework", "sharing")
"""In the order in which they merge; the stack's own overrides come after."""

_FILE = ("format", "layer", "scope", "blocks")
_BLOCK = ("when", "because", "set")

Scope = Literal["cluster", "pool"]


@dataclass(frozen=True, slots=True)
class Block:
    """What is set where a condition holds."""

    line: int
    when: When
    writes: tuple[Write, ...]


@dataclass(frozen=True, slots=True)
class LayerFile:
    """One file. layer: its path below the layers' folder, without .yaml; digest: sha256 of its bytes."""

    layer: str
    file: str
    scope: Scope
    blocks: tuple[Block, ...]
    digest: str

    @property
    def rank(self) -> tuple[int, str]:
        """Where it stands in the order of merging."""
        return _rank(self.layer), self.layer


def files(folder: Path) -> list[Path]:
    """All layer files below a folder, sorted."""
    return sorted((path for path in folder.rglob("*.y*ml") if path.is_file()), key=Path.as_posix)


def read(folder: Path, words: Words | None = None) -> tuple[LayerFile, ...]:
    """All layers below a folder, in the order of merging. words: values of criteria that are known, besides.

    Raises ProblemsError that names every problem of every file, with its line.
    """
    found = {path.relative_to(folder).with_suffix("").as_posix(): path for path in files(folder)}
    known = conditions.known(found, words or {})
    shown = f"{folder.parent.name}/{folder.name}"
    layers, problems = [], [] if found else [f"{shown}: holds no layer files"]
    for layer, path in found.items():
        read_one, wrong = _read(path, layer, f"{shown}/{path.relative_to(folder).as_posix()}", known)
        layers += read_one
        problems += wrong
    if problems:
        raise ProblemsError(problems)
    return tuple(sorted(layers, key=lambda layer: layer.rank))


def parse(text: str, layer: str, file: str, words: Words | None = None) -> LayerFile:
    """One layer from its text. Raises ProblemsError that names every problem."""
    read_one, problems = _parse(text, layer, file, conditions.known([layer], words or {}))
    if problems:
        raise ProblemsError(problems)
    return read_one[0]


def _read(path: Path, layer: str, file: str, words: Words) -> tuple[list[LayerFile], list[str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        return [], [f"{file}: can't be read ({error.strerror})"]
    except UnicodeDecodeError as error:
        return [], [f"{file}: is not UTF-8, at byte {error.start}"]
    if path.suffix != ".yaml":
        return [], [f"{file}: must end in .yaml"]
    return _parse(text, layer, file, words)


def _parse(text: str, layer: str, file: str, words: Words) -> tuple[list[LayerFile], list[str]]:
    root, problems = marks.read(text, file)
    if problems:
        return [], problems
    if not isinstance(root.value, dict):
        return [], [f"{file}:1: must be a mapping with the keys {', '.join(_FILE)}"]
    head = list(_head(root.value, layer))
    problems = [f"{file}:{line}: {what}" for line, what in head]
    if any("newer Tessera" in what for _, what in head):
        return [], problems  # what else it says is in a language that is not ours
    scope: Scope = "pool" if "scope" in root.value and root.value["scope"].value == "pool" else "cluster"
    said = root.value["blocks"].value if "blocks" in root.value else None
    blocks = []
    for at, block in enumerate(said if isinstance(said, list) else []):
        template = Write((), "set", None, Origin(layer, file, block.line), scope == "pool", (_rank(layer), layer, at))
        found, wrong = _block(block, scope, template, words)
        blocks.append(found)
        problems += wrong
    digest = hashlib.sha256(text.encode()).hexdigest()
    return [LayerFile(layer, file, scope, tuple(blocks), digest)], problems


def _rank(layer: str) -> int:
    folder = layer.partition("/")[0]
    return FOLDERS.index(folder) if folder in FOLDERS else len(FOLDERS)


def _keys(
    tree: dict[str, Marked], allowed: Iterable[str], required: Iterable[str], line: int
) -> Iterator[tuple[int, str]]:
    for key, marked in tree.items():
        if key not in allowed:
            yield marked.line, naming.unknown("key", key, allowed)
    yield from ((line, f"key {key!r} is missing") for key in required if key not in tree)


def _head(tree: dict[str, Marked], layer: str) -> Iterator[tuple[int, str]]:
    made = tree.get("format")
    if made and type(made.value) is int and made.value > FORMAT:
        yield (
            made.line,
            f"format: made for a newer Tessera; found {made.value}, this one reads {FORMAT}; update Tessera",
        )
        return
    yield from _keys(tree, _FILE, _FILE, 1)
    if made and (type(made.value) is not int or made.value != FORMAT):
        yield made.line, f"format: found {made.plain!r}, allowed: {FORMAT}"
    if "layer" in tree and tree["layer"].value != layer:
        yield tree["layer"].line, f"layer: must be its path; found {tree['layer'].plain!r}, expected {layer!r}"
    folder, _, name = layer.partition("/")
    if folder not in FOLDERS or (not name and folder != "base") or "/" in name:
        yield 1, f"a layer is folder/name; {naming.unknown('folder', folder, FOLDERS)}"
    if "scope" in tree and tree["scope"].value not in ("cluster", "pool"):
        yield tree["scope"].line, f"scope: {naming.unknown('scope', str(tree['scope'].plain), ('cluster', 'pool'))}"
    if "blocks" in tree and not (isinstance(tree["blocks"].value, list) and tree["blocks"].value):
        yield tree["blocks"].line, "blocks: must be a list with at least one block"


def _block(said: Marked, scope: Scope, template: Write, words: Words) -> tuple[Block, list[str]]:
    file = template.origin.file
    if not isinstance(said.value, dict):
        return Block(said.line, {}, ()), [f"{file}:{said.line}: a block must be a mapping; found {said.plain!r}"]
    found = list(_keys(said.value, _BLOCK, ("when", "set"), said.line))
    when: When = {}
    if "when" in said.value:
        when, wrong = conditions.read(said.value["when"], scope, words)
        found += wrong
    because = said.value["because"].plain if "because" in said.value else None
    if because is not None and not (isinstance(because, str) and because.strip()):
        found.append((said.value["because"].line, f"because: must be text; found {because!r}"))
        because = None
    template = replace(template, origin=replace(template.origin, because=because))
    sets = said.value.get("set", Marked({}, said.line))
    if not isinstance(sets.value, dict):
        found.append((sets.line, f"set: must be a mapping; found {sets.plain!r}"))
        sets = Marked({}, said.line)
    sections = [(key, tree) for key, tree in sets.value.items() if tree.value != {}]
    made = [write for key, tree in sections for write in writes(tree, replace(template, path=(key,)))]
    problems = [f"{file}:{line}: {what}" for line, what in found] + fields.problems(made)
    return Block(said.line, when, tuple(made)), problems
