"""Where the components of a stack come from, if not from Tessera's own layers."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from tessera.spec.allowed import Allowed
from tessera.spec.model import Model

RelativePath = Annotated[
    str,
    StringConstraints(pattern=r"^[^/\s.][^\s/]*(/[^/\s.][^\s/]*)*$"),
    Allowed("a path below the stack file's folder, such as aicr/recipe.yaml"),
]


class ComponentSource(Model):
    """An imported recipe: `tessera recipe import` says what it brings and what it leaves out."""

    from_: Annotated[RelativePath, Field(alias="from")]
    """A RecipeResult of AICR, and the values files that it names, below the stack file's folder."""
