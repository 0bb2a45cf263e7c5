"""Where a recipe comes from on the command line: a stack file, or criteria as flags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from cli.stack_file import shown, stack_file

if TYPE_CHECKING:
    from tessera.recipe.request import RecipeRequest
    from tessera.recipe.resolved import ResolvedRecipe

Service = Annotated[str | None, typer.Option(help="eks, metal or lab.")]
Kubernetes = Annotated[str | None, typer.Option(help="Minor version of Kubernetes.")]
Accelerator = Annotated[str | None, typer.Option(help="GPU of the one pool, such as h100.")]
Os = Annotated[str | None, typer.Option("--os", help="Operating system of the one pool.")]
Intent = Annotated[str | None, typer.Option(help="training, inference or interactive.")]
Framework = Annotated[str | None, typer.Option(help="kubeflow, dynamo or none.")]
Sharing = Annotated[str | None, typer.Option(help="dra, mig, time-slicing, mps or none.")]


@dataclass(frozen=True)
class Criteria:
    """Criteria given as flags; None where one was not given."""

    service: str | None = None
    kubernetes: str | None = None
    accelerator: str | None = None
    os: str | None = None
    intent: str | None = None
    framework: str | None = None
    sharing: str | None = None

    def given(self) -> dict[str, str]:
        """Those that were given."""
        return {name: value for name, value in vars(self).items() if value is not None}


def resolved(stack: str | None, criteria: Criteria) -> ResolvedRecipe:
    """The recipe of a stack, or of criteria. Raises TesseraError; ProblemsError names every problem at once."""
    from tessera.data import RECIPES
    from tessera.recipe import cache, layers
    from tessera.recipe.resolve import resolve
    from tools.root import root

    asked = _request(stack, criteria)
    folder = RECIPES / "layers"
    return cache.cached(asked, folder, root() / "recipes", lambda: resolve(asked, layers.read(folder)))


def _request(stack: str | None, criteria: Criteria) -> RecipeRequest:
    from tessera.errors import TesseraError

    given = criteria.given()
    if stack and given:
        raise TesseraError(f"give either a stack or criteria; found --stack {stack} and {', '.join(sorted(given))}")
    if stack:
        from tessera.recipe.of_stack import request
        from tessera.spec import stack as spec
        from tessera.spec.document import read

        path = stack_file(stack)
        document = read(path, shown(path))
        return request(spec.stack(document.values, document), document)
    if "service" not in given:
        raise TesseraError("say what to resolve: -s STACK, or criteria such as --service eks --accelerator h100")
    from tessera.recipe.of_stack import request_of_criteria

    return request_of_criteria({"kubernetes": "1.36", "framework": "none", **given}, frozenset(given))
