"""Resolved recipes kept in a folder, by digest of all that they were made from."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from tessera.recipe.resolved import ResolvedRecipe

KEPT = 64
"""How many recipes stay; the oldest go first."""

_READ = (".yaml", ".yml", ".py")
_CODE = Path(__file__).resolve().parent


def cached(asked: str, folders: Iterable[Path], cache: Path, make: Callable[[], ResolvedRecipe]) -> ResolvedRecipe:
    """The recipe of what is asked, a stack file's text for example: from the cache, else made and kept.

    folders: whose YAML and Python files the answer is made from, besides this package's own. A file that is not
    whole counts as not there, and a cache that can't be written is no error. What make raises passes through, and
    is not kept.
    """
    try:
        path = cache / f"{key(asked, folders)}.json"
    except (OSError, TypeError, ValueError):
        return make()  # which tells what is wrong with the question or the files
    found = _load(path)
    if found is None:
        found = make()
        with suppress(OSError):
            _keep(path, found)
    return found


def key(asked: str, folders: Iterable[Path]) -> str:
    """sha256 of the question, and of every YAML and Python file in the folders and in this package."""
    digest = hashlib.sha256(asked.encode())
    for root in (*folders, _CODE):
        for name, path in sorted(_files(os.fspath(root))):
            digest.update(f"\0{name}\0".encode())
            digest.update(hashlib.sha256(Path(path).read_bytes()).digest())
    return digest.hexdigest()


def _files(root: str) -> Iterator[tuple[str, str]]:
    """Path below the root, and path, of each file. pathlib would take longer than reading them does."""
    for folder, _, names in os.walk(root):
        below = os.path.relpath(folder, root)
        for name in names:
            if name.endswith(_READ):
                yield f"{below}/{name}", f"{folder}/{name}"


def _load(path: Path) -> ResolvedRecipe | None:
    try:
        seal, _, text = path.read_text(encoding="utf-8").partition("\n")
        if seal == _seal(text):
            return ResolvedRecipe.read(json.loads(text))
    except (OSError, UnicodeDecodeError):
        pass
    return None


def _keep(path: Path, recipe: ResolvedRecipe) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = recipe.to_json()
    draft = path.with_name(f".{path.stem}.{os.getpid()}")
    draft.write_text(f"{_seal(text)}\n{text}", encoding="utf-8")
    draft.replace(path)
    oldest_first = sorted(path.parent.glob("*.json"), key=lambda kept: kept.stat().st_mtime_ns)
    for old in oldest_first[:-KEPT]:
        old.unlink(missing_ok=True)


def _seal(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
