"""Mistakes of YAML itself, one sentence each."""

from __future__ import annotations

import yaml

from tessera.spec.problem import Problem

_TAB = "a tab indents this line; YAML takes spaces only"
_SAID = {
    "found a tab character that violates indentation": _TAB,
    "mapping values are not allowed in this context": "a colon stands where no key can be; indent the line or quote it",
    "found unexpected end of stream": "a quote is opened here and never closed",
    "exceeded maximum nesting depth": "is nested too deeply",
    "but found another document": "a second document begins here; allowed: one",
}
"""libyaml's words, and ours for the mistakes that people make most."""


def syntax_problem(error: yaml.YAMLError, text: str) -> Problem:
    """What the parser could not read in a text."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return _character(error, text)
    mark = error.problem_mark or error.context_mark
    said = _SAID.get(error.problem or "") or " ".join(filter(None, (error.context, error.problem)))
    if mark and "cannot start any token" in said:
        line = (text.splitlines() or [""])[min(mark.line, text.count("\n"))] if text else ""
        found = line[mark.column : mark.column + 1]
        said = _TAB if found == "\t" else f"a value can't begin with {found!r}; quote it"
    return Problem((), f"is not YAML: {said}", mark.line + 1 if mark else None)


def _character(error: yaml.YAMLError, text: str) -> Problem:
    """A reader's error: a character that no YAML file may hold."""
    code = getattr(error, "character", None)
    found = f"character U+{code:04X}" if isinstance(code, int) else "a character of this line"
    position = getattr(error, "position", 0)
    return Problem((), f"is not YAML: {found} is not allowed", text.count("\n", 0, position) + 1)
