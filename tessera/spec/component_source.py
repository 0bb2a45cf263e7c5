"""Which components a stack has: where they come from, and which of them don't run."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from tessera.spec.allowed import Allowed, Word
from tessera.spec.model import Model

RelativePath = Annotated[
    str,
    StringConstraints(pattern=r"^[^/\s.][^\s/]*(/[^/\s.][^\s/]*)*$"),
    Allowed("a path below the stack file's folder, such as aicr/recipe.yaml"),
]


class ComponentSource(Model):
    """Where components come from, if not from Tessera's own layers, and which of them don't run."""

    from_: Annotated[RelativePath | None, Field(alias="from")] = None
    """A RecipeResult of AICR, and the values files that it names, below the stack file's folder."""

    off: tuple[Word, ...] = ()
    """Components that don't run, whatever the layers say; none waits for them."""
