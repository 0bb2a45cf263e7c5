"""A local CEL engine for DRA selectors: the verdicts of the API server and of the scheduler, without either.

Not judged here: the cost of an expression, which the API server estimates and limits to 1,000,000 units.
Functions that no device needs (times, addresses, URLs, sets, formats) are refused as not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from tessera.dra.cel import checks, program, syntax, types
from tessera.dra.cel.checks import NOT_KNOWN
from tessera.dra.cel.device import variables
from tessera.dra.cel.values import CelError, CelPanicError, type_name

__all__ = ["NOT_KNOWN", "Verdict", "check", "evaluate"]

Verdict = bool | str
"""True or False, or the text of a run-time error, which in a scheduler stops the whole pod."""


def check(expression: str) -> list[str]:
    """Why the API server refuses an expression when it is created; empty where it takes it.

    A problem that begins with "not known here: " is a limit of this engine: the API server may think otherwise.
    """
    return list(_compiled(expression)[1])


def evaluate(expression: str, device: Mapping[str, Any], driver: str) -> Verdict:
    """The verdict of a selector on a device of a ResourceSlice (resource.k8s.io/v1 shape).

    The text of the first problem where the expression does not compile, or of the error that it ends in.
    """
    run, problems = _compiled(expression)
    if run is None:
        return problems[0]
    try:
        result = run(variables(device, driver))
    except (CelError, CelPanicError) as error:
        return str(error)
    if isinstance(result, bool):
        return result
    return f"CEL result of type {type_name(result)} could not be converted to bool"


@cache
def _compiled(expression: str) -> tuple[program.Program | None, tuple[str, ...]]:
    problems = tuple(checks.by_text(expression))
    try:
        tree = syntax.tree(types.environment().compile(expression).serialize())
    except RuntimeError as error:  # the native engine's way to refuse an expression
        return None, (*problems, checks.by_compiler(str(error)))
    problems += tuple(checks.by_tree(tree))
    return (None if problems else program.build(tree.root)), problems
