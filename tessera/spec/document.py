"""A stack file as it is written: its values, and the line of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path as FilePath
from typing import Any

import yaml

from tessera.errors import ProblemsError, TesseraError
from tessera.spec.nodes import PREFIX, Entries, Reader, line_of
from tessera.spec.problem import Path, Problem, quoted, short, shown, told, unknown
from tessera.spec.syntax import syntax_problem

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OTHER_KEYS = ("encryptionsalt", "encryptedkey", "secretsprovider", "environment")


@dataclass(frozen=True)
class Document:
    """One stack file. values: by key, without the project's prefix; secrets stay Secret references.

    problems: what can be told before anybody looks at what the values mean. foreign: keys whose values come from
    elsewhere, so that their lines here mean nothing.
    """

    file: str
    values: dict[str, Any]
    problems: tuple[Problem, ...] = ()
    foreign: frozenset[str] = frozenset()
    _mark: yaml.Node | None = field(default=None, repr=False, compare=False)
    _entries: Entries = field(default_factory=dict, repr=False, compare=False)
    _reader: Reader = field(default_factory=Reader, repr=False, compare=False)

    def line(self, path: Path) -> int | None:
        """The line where a value is written, or else of what it would be in; counted from 1."""
        key = str(path[0])
        if self._mark is None or key in self.foreign:
            return None
        mark, node = self._entries.get(key, (self._mark, None))
        return line_of(mark) if node is None else self._reader.line(mark, node, path[1:])


def read(path: FilePath, file: str | None = None) -> Document:
    """The document at a path. file: what messages call it.

    Raises TesseraError where it can't be read, ProblemsError where it is no YAML or no stack file.
    """
    name = file or str(path)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise TesseraError(f"{name}: can't be read ({error.strerror})") from error
    try:
        root = _root(raw.decode("utf-8-sig"))
        return _document(root, name)
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        said = f"byte {error.start - before.rfind(b'\n')} of this line is not UTF-8"
        raise ProblemsError([f"{name}:{before.count(b'\n') + 1}: {said}"]) from error
    except _WholeError as error:
        raise ProblemsError(told([error.problem], name, lambda _: None)) from error


class _WholeError(Exception):
    """Nothing in the file can be read."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.text)


def _root(text: str) -> yaml.Node | None:
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise _WholeError(syntax_problem(error, text)) from error
    return root


def _document(root: yaml.Node | None, name: str) -> Document:
    reader = Reader()
    if root is None:
        raise _WholeError(Problem((), "is empty; allowed: a mapping with `config:`"))
    if not isinstance(root, yaml.MappingNode):
        found = shown(reader.value(root, ()))
        raise _WholeError(Problem((), f"found {found}; allowed: a mapping with `config:`", line_of(root)))
    top = reader.entries(root, ())
    config = _config(reader, root, top)
    found_keys, problems = _ours(top, reader.entries(config, ()) if config else {})
    values = {key: reader.value(node, (key,)) for key, (_, node) in found_keys.items()}
    return Document(
        name,
        values,
        (*reader.problems, *problems),
        _mark=top["config"][0] if config else root,
        _entries=found_keys,
        _reader=reader,
    )


def _config(reader: Reader, root: yaml.Node, top: Entries) -> yaml.MappingNode | None:
    """The mapping under `config:`; none where our keys stand beside it."""
    _, node = top.get("config", (None, None))
    if isinstance(node, yaml.MappingNode):
        return node
    if any(key.startswith(PREFIX) for key in top):
        return None
    if node is not None:
        found = shown(reader.value(node, ()))
        said = f"config: found {found}; allowed: a mapping with {PREFIX}cluster, {PREFIX}pools ..."
        raise _WholeError(Problem((), said, line_of(node)))
    wrong = [key for key in top if key not in _OTHER_KEYS]
    said = unknown("key", wrong[0], ("config", *_OTHER_KEYS)) if wrong else "config: missing; allowed: a mapping"
    raise _WholeError(Problem((), said, line_of(top[wrong[0]][0] if wrong else root)))


def _ours(top: Entries, config: Entries) -> tuple[Entries, list[Problem]]:
    """Entries of our keys, less prefix; those that stand or start wrong are told, and read all the same."""
    found = {key.removeprefix(PREFIX): pair for key, pair in config.items() if key.startswith(PREFIX)}
    problems = []
    for key, pair in top.items():
        if key.startswith(PREFIX):
            said = f"{short(key)}: stands beside `config:`; allowed: inside it, indented"
            problems.append(Problem((), said, line_of(pair[0])))
            found.setdefault(key.removeprefix(PREFIX), pair)
    for key, pair in config.items():
        if (meant := _meant(key)) is not None:
            said = f"config: unknown key {quoted(key)}; did you mean {quoted(PREFIX + meant)}?"
            problems.append(Problem((), said, line_of(pair[0])))
            found.setdefault(meant, pair)
    return found, problems


def _meant(key: str) -> str | None:
    """Our key that was meant by one without our prefix; none for other parts of Pulumi, such as aws:region."""
    first, colon, rest = key.partition(":")
    if not colon:
        return key
    ours = not key.startswith(PREFIX) and get_close_matches(first.strip().lower(), [PREFIX[:-1]], cutoff=0.8)
    return rest.strip() if ours else None
