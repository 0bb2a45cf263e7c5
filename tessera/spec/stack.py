"""The stack: one environment, as its file says it. docs/stack-file.md shows every key."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from tessera.errors import ProblemsError
from tessera.spec import checks
from tessera.spec.allowed import ClassName, Name, Word
from tessera.spec.cluster import Cluster
from tessera.spec.component_source import ComponentSource
from tessera.spec.document import Document, read
from tessera.spec.encrypted import Encrypted
from tessera.spec.form import form_problems
from tessera.spec.model import Model
from tessera.spec.pool import Pool
from tessera.spec.problem import Problem, show_path, told
from tessera.spec.site import Site
from tessera.spec.tenant import Tenant
from tessera.spec.workload import Workload

__all__ = ["KEYS", "Cluster", "Pool", "Site", "Stack", "Tenant", "Workload", "read_file", "stack"]


class Stack(Model):
    """One environment."""

    cluster: Cluster
    """What the cluster runs on, and what for."""

    pools: tuple[Pool, ...]
    """The machines."""

    site: Site = Site()
    """What the surroundings impose."""

    classes: tuple[ClassName, ...] = ()
    """Classes of the catalogue that are offered here."""

    tenants: tuple[Tenant, ...] = ()
    """Who shares the cluster."""

    workloads: tuple[Workload, ...] = ()
    """Services that come with the cluster."""

    components: ComponentSource = ComponentSource()
    """Where the components come from, and which of them don't run."""

    overrides: dict[Word, dict[str, Any]] = Field(default_factory=dict)
    """The last word on the recipe: values by component."""

    secrets: dict[Name, Encrypted] = Field(default_factory=dict)
    """Encrypted values by name; values of components refer to them as secret://NAME."""

    allow_major: Annotated[tuple[Word, ...], Field(alias="allowMajor")] = ()
    """Components whose next update may be a step to another major version."""


KEYS = tuple(field.alias or name for name, field in Stack.model_fields.items())
"""Configuration keys of a stack, without the project's prefix."""


def read_file(path: Path) -> Stack:
    """The typed stack of a stack file; secrets stay encrypted.

    Raises ProblemsError that names every problem at once with its line, TesseraError where the file can't be read.
    """
    document = read(path)
    return stack(document.values, document)


def stack(values: Mapping[str, Any], document: Document | None = None, hidden: Collection[str] = ()) -> Stack:
    """The typed stack of values by key.

    document: where they are written, for the lines of problems. hidden: keys whose values no message may repeat.
    Raises ProblemsError that names every problem at once.
    """
    place = document or Document("", {})
    read_stack, form = _validated(values)
    problems = _first_of_each_path([*place.problems, *form, *checks.problems(values)])
    if read_stack is None or problems:
        kept = [_without_words(row) if row.path[:1] and row.path[0] in hidden else row for row in problems]
        raise ProblemsError(told(kept, place.file, place.line, values))
    return read_stack


def _validated(values: Mapping[str, Any]) -> tuple[Stack | None, list[Problem]]:
    try:
        return Stack.model_validate(values), []
    except ValidationError as error:
        return None, form_problems(error, Stack)


def _first_of_each_path(problems: list[Problem]) -> list[Problem]:
    """What a value looks like comes before what it means: one message for one value."""
    return list({row.path or row: row for row in reversed(problems)}.values())[::-1]


def _without_words(row: Problem) -> Problem:
    key = show_path(row.path[:1])
    return Problem(row.path, f"can't be used; {key} is encrypted as a whole, so its values are not shown", row.line)
