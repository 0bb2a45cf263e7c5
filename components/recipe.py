"""The recipe in a stack: what it resolves to, held against what its author agreed to."""

from __future__ import annotations

import pulumi

from components.project import project_root
from components.stack_file import stack_document
from tessera.errors import ProblemsError, TesseraError
from tessera.recipe import lock, vet
from tessera.recipe.constraints import violations
from tessera.recipe.of_stack import request
from tessera.recipe.resolved import ResolvedRecipe
from tessera.recipe.shipped import shipped
from tessera.sharing.platform import OPERATOR, remarks
from tessera.spec.stack import Stack


def agreed_recipe(stack: Stack) -> ResolvedRecipe:
    """The resolved recipe. Raises pulumi.RunError where it can't be resolved, or is not what was locked."""
    try:
        recipe = shipped(request(stack, stack_document(), project_root() / "stacks"))
        changed = _changes(recipe)
    except ProblemsError as error:
        raise pulumi.RunError(
            "the recipe can't be resolved:\n" + "\n".join(f"  {one}" for one in error.problems)
        ) from error
    except TesseraError as error:
        raise pulumi.RunError(str(error)) from error
    _vet(recipe)
    for broken in violations(recipe):  # the errors among them were refused while it was resolved
        pulumi.log.warn(broken.text)
    if any(one.chart == OPERATOR for one in recipe.components):
        for said in remarks(pool.shared for pool in stack.pools if pool.shared):
            pulumi.log.warn(said)
    if changed:
        name = pulumi.get_stack()
        found = "\n".join(f"  {line}" for line in changed)
        raise pulumi.RunError(
            f"stack {name} resolves to something else than stacks/{name}.lock.json agrees to:\n{found}\n"
            f"`tessera recipe lock -s {name} --update` agrees"
        )
    return recipe


def _vet(recipe: ResolvedRecipe) -> None:
    """Refuse values that their charts don't know or take: most charts ignore a misspelt key.

    What an imported recipe brings of charts that nobody recorded can't be vetted, and is told.
    """
    findings = vet.of_recipe(recipe)
    unknown = [one for one in findings if one.kind == "chart" and "imported" in recipe.artifacts]
    for one in unknown:
        pulumi.log.warn(f"{one}; its values are not vetted")
    if wrong := [one for one in findings if one not in unknown]:
        raise pulumi.RunError("the recipe does not fit its charts:\n" + "\n".join(f"  {one}" for one in wrong))


def _changes(recipe: ResolvedRecipe) -> list[str]:
    name = f"{pulumi.get_stack()}.lock.json"
    path = project_root() / "stacks" / name
    if not path.is_file():
        pulumi.log.info(f"stacks/{name} is missing, so any recipe is taken; `tessera recipe lock --update` makes it")
        return []
    return [one.text for one in lock.changes(lock.read(path.read_text(encoding="utf-8"), f"stacks/{name}"), recipe)]
