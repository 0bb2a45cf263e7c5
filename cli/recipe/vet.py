"""`tessera recipe vet`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import Json
from cli.recipe.source import Criteria, resolved
from cli.stack_file import HELP, shown, stack_file

if TYPE_CHECKING:
    from tessera.recipe.resolved import ResolvedRecipe
    from tessera.recipe.vet import Finding


def vet(
    stack: Annotated[str | None, typer.Option("--stack", "-s", help=HELP)] = None,
    json: Json = False,
) -> None:
    """Check values against their charts and the rules of security: every layer and every stack here, or one stack.

    Exit code 1 where a value does not exist, has a wrong type, does nothing, is refused (chart, platform) or is unsafe.
    """
    import json as json_module

    from tessera.recipe import vet as vetting

    if stack:
        recipe = resolved(stack, Criteria())
        found = [*vetting.of_recipe(recipe), *vetting.security(recipe), *_platform(stack, recipe)]
        said = f"{len(recipe.components)} components fit their charts, and none is unsafe"
    else:
        found, said = _all()
    if json:
        print(json_module.dumps(vetting.as_json(found), indent=2))
    else:
        print("\n".join(map(str, found)) or said)
    if any(one.severity == "error" for one in found):
        raise typer.Exit(1)


def _platform(stack: str, recipe: ResolvedRecipe) -> list[Finding]:
    """What `pulumi preview` would refuse of the platform before it fetches a chart."""
    from tessera.errors import ProblemsError
    from tessera.platform.of_stack import settings
    from tessera.platform.plan import plan
    from tessera.recipe.vet import Finding
    from tessera.spec.stack import read_file

    path = stack_file(stack)
    try:
        plan(recipe.components, settings(read_file(path)))
    except ProblemsError as error:
        return [Finding(shown(path), "components", "platform", one) for one in error.problems]
    return []


def _all() -> tuple[list[Finding], str]:
    from cli.checkout import CHECKOUT
    from tessera.data import RECIPES
    from tessera.errors import TesseraError
    from tessera.hardware import gpus
    from tessera.recipe import layers
    from tessera.recipe import vet as vetting

    read = layers.read(RECIPES / "layers", {"gpu": gpus.names(), "accelerator": gpus.accelerators()})
    components, values = vetting.count(read)
    found = [*vetting.of_layers(read), *vetting.of_offers(read)]
    stacks = sorted((CHECKOUT / "stacks").glob("Pulumi.*.yaml")) if components else []
    for path in stacks:
        try:
            recipe = resolved(str(path), Criteria())
            found += [*vetting.of_recipe(recipe), *vetting.security(recipe)]
        except TesseraError as error:
            found.append(vetting.Finding(str(path.relative_to(CHECKOUT)), "recipe", "unresolved", str(error)))
    fit = f"{values} values of {components} components in {len(read)} layers fit their charts"
    said = f"{fit}; {len(stacks)} stacks too, and none is unsafe"
    return list(dict.fromkeys(found)), said
