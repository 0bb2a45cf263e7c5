"""The stack file, as the engine hands it to the program."""

from __future__ import annotations

import json
from typing import Any

import pulumi
from pulumi.runtime import config as engine

from components.project import project_root
from tessera.errors import ProblemsError, TesseraError
from tessera.spec.decrypted import placed
from tessera.spec.document import Document, read
from tessera.spec.problem import Problem, told
from tessera.spec.stack import Stack, stack

BUILT = ("lab",)
"""Services that the program can bring up; the others are read and checked."""


def read_stack(config: pulumi.Config) -> Stack:
    """The typed stack. Raises pulumi.RunError, which the engine shows without a trace, with every problem."""
    file = file_name()
    try:
        return _read(config.name)
    except ProblemsError as error:
        found = "\n".join(f"  {problem}" for problem in error.problems)
        raise pulumi.RunError(f"{file} can't be used:\n{found}") from error
    except TesseraError as error:
        raise pulumi.RunError(str(error)) from error


def _read(project: str) -> Stack:
    values = _values(f"{project}:")
    document = stack_document()
    if document:
        values, document = placed(values, document)
    hidden = [key for key in values if engine.is_config_secret(f"{project}:{key}")]
    read = stack(values, document, [key for key in hidden if document is None or key in document.foreign])
    if read.cluster.service not in BUILT:
        said = f"{read.cluster.service} is checked, but can't be brought up yet; allowed: {', '.join(BUILT)}"
        place = document or Document("", {})
        raise ProblemsError(told([Problem(("cluster", "service"), said)], place.file, place.line))
    return read


def _values(prefix: str) -> dict[str, Any]:
    """All our keys, the misspelt ones too: pulumi.Config only answers for keys that one asks for."""
    known = {**engine.get_config_env(), **engine.CONFIG.get()}
    return {key.removeprefix(prefix): _parsed(value) for key, value in known.items() if key.startswith(prefix)}


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value)
    except (TypeError, ValueError):
        return value


def file_name() -> str:
    """Where the stack's file is, from Pulumi.yaml on."""
    return f"stacks/Pulumi.{pulumi.get_stack()}.yaml"


def stack_document() -> Document | None:
    """The stack file beside Pulumi.yaml, for lines; none where the stack's configuration lies elsewhere."""
    file = file_name()
    path = project_root() / file
    return read(path, file) if path.is_file() else None
