"""Of which stack file a command speaks: a name in stacks/, or the path of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.checkout import CHECKOUT

HELP = "Name of a stack, or path of its .yaml file."
StackName = Annotated[str, typer.Option("--stack", "-s", envvar="TESSERA_STACK", help=HELP)]
MaybeStackName = Annotated[str | None, typer.Option("--stack", "-s", envvar="TESSERA_STACK", help=HELP)]


def stack_file(stack: str) -> Path:
    """The stack file of a name, or at a path that ends in .yaml. Raises TesseraError where no stack is called so."""
    from tessera.errors import TesseraError
    from tessera.naming import unknown

    if stack.endswith(".yaml"):
        return Path(stack)
    folder = CHECKOUT / "stacks"
    path = folder / f"Pulumi.{stack}.yaml"
    if not path.is_file():
        known = [one.name.removeprefix("Pulumi.").removesuffix(".yaml") for one in folder.glob("Pulumi.*.yaml")]
        raise TesseraError(unknown("stack", stack, known))
    return path


def shown(path: Path) -> str:
    """How messages call a stack file: from the checkout on, where it lies in it."""
    absolute = path.absolute()
    return str(absolute.relative_to(CHECKOUT)) if absolute.is_relative_to(CHECKOUT) else str(path)


def lock_file(path: Path) -> Path:
    """The lock beside a stack file."""
    return path.with_name(f"{path.name.removeprefix('Pulumi.').removesuffix('.yaml')}.lock.json")
