"""The stack file, as the engine hands it to the program."""

from __future__ import annotations

import pulumi

from tessera.errors import ProblemsError
from tessera.spec.stack import KEYS, Stack, stack


def read_stack(config: pulumi.Config) -> Stack:
    """The typed stack. Raises pulumi.RunError, which the engine shows without a trace, with every problem."""
    values = {key: config.get_object(key) for key in KEYS}
    try:
        return stack({key: value for key, value in values.items() if value is not None})
    except ProblemsError as error:
        found = "\n".join(f"  {problem}" for problem in error.problems)
        raise pulumi.RunError(f"stacks/Pulumi.{pulumi.get_stack()}.yaml can't be used:\n{found}") from error
