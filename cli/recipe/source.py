"""Where a recipe comes from on the command line: a stack file, or criteria as flags."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from cli.stack_file import MaybeStackName, shown, stack_file

if TYPE_CHECKING:
    from tessera.recipe.request import RecipeRequest
    from tessera.recipe.resolved import ResolvedRecipe

OPTIONS = {
    "stack": MaybeStackName,
    "service": Annotated[str | None, typer.Option(help="eks, metal or lab.")],
    "kubernetes": Annotated[str | None, typer.Option(help="Minor version of Kubernetes.")],
    "accelerator": Annotated[str | None, typer.Option(help="GPU of the one pool, such as h100.")],
    "os": Annotated[str | None, typer.Option("--os", help="Operating system of the one pool.")],
    "intent": Annotated[str | None, typer.Option(help="training, inference or interactive.")],
    "framework": Annotated[str | None, typer.Option(help="kubeflow, dynamo or none.")],
    "sharing": Annotated[str | None, typer.Option(help="dra, dynamic-mig, mig, time-slicing, mps or none.")],
}
"""What a recipe can be asked of: a stack, or criteria that make one up."""


def of_recipe(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose first parameter is a recipe, as one that takes OPTIONS in its place."""
    hints = get_type_hints(command, include_extras=True)
    _, *own = inspect.signature(command).parameters.values()
    added = [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=kind) for name, kind in OPTIONS.items()]
    kept = [one.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[one.name]) for one in own]

    def run(**words: Any) -> None:
        stack, *criteria = (words.pop(name) for name in OPTIONS)
        command(resolved(stack, Criteria(*criteria)), **words)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = Signature([*kept, *added])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in (*kept, *added)}
    return run


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
    """The recipe of a stack, or of criteria. Raises TesseraError; ProblemsError names every problem at once.

    What was resolved before comes from a cache by digest of the stack file, the recipes and the code, without
    reading any of them in earnest.
    """
    from tessera.data import RECIPES
    from tessera.recipe import cache
    from tessera.recipe.constraints import violations
    from tools.root import root

    code = RECIPES.parent / "tessera"
    question = _question(stack, criteria)
    recipe = cache.cached(question, [RECIPES, code], root() / "recipes", lambda: _resolve(stack, criteria))
    for broken in violations(recipe):  # what is an error was refused while it was resolved
        print(f"{broken.severity}: {broken.text}", file=sys.stderr)
    return recipe


def _question(stack: str | None, criteria: Criteria) -> str:
    """The text on which the answer depends."""
    from tessera.errors import TesseraError

    given = criteria.given()
    if stack and given:
        raise TesseraError(f"give either a stack or criteria; found --stack {stack} and {', '.join(sorted(given))}")
    if not stack:
        return json.dumps(given, sort_keys=True)
    path = stack_file(stack)
    try:
        text = path.read_text(encoding="utf-8")
        return "\0".join([shown(path), text, *_beside(path, text)])
    except (OSError, UnicodeDecodeError):
        return ""  # reading it in earnest tells what is wrong; nothing that fails is kept


def _beside(path: Path, text: str) -> Iterator[str]:
    """Names and texts of the files below a stack's folder, where it may import a recipe from there."""
    if "tessera:components" in text:
        for file in sorted(path.parent.rglob("*.yaml")):
            yield file.relative_to(path.parent).as_posix()
            yield file.read_text(encoding="utf-8")


def _resolve(stack: str | None, criteria: Criteria) -> ResolvedRecipe:
    from tessera.recipe.shipped import shipped

    return shipped(_request(stack, criteria))


def _request(stack: str | None, criteria: Criteria) -> RecipeRequest:
    from tessera.errors import TesseraError

    given = criteria.given()
    if stack:
        from tessera.recipe.of_stack import request
        from tessera.spec import stack as spec
        from tessera.spec.document import read

        path = stack_file(stack)
        document = read(path, shown(path))
        return request(spec.stack(document.values, document), document, path.parent)
    if "service" not in given:
        raise TesseraError("say what to resolve: -s STACK, or criteria such as --service eks --accelerator h100")
    from tessera.recipe.of_stack import request_of_criteria

    return request_of_criteria({"kubernetes": "1.36", "framework": "none", **given}, frozenset(given))
