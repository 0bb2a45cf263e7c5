"""`tessera recipe order`."""

from __future__ import annotations

from cli.output import Json, emit
from cli.recipe.source import (
    Accelerator,
    Criteria,
    Framework,
    Intent,
    Kubernetes,
    Os,
    Service,
    Sharing,
    resolved,
)
from cli.stack_file import MaybeStackName


def order(
    stack: MaybeStackName = None,
    service: Service = None,
    kubernetes: Kubernetes = None,
    accelerator: Accelerator = None,
    os: Os = None,
    intent: Intent = None,
    framework: Framework = None,
    sharing: Sharing = None,
    json: Json = False,
) -> None:
    """Show the components in the order in which they are installed, and what each waits for."""
    recipe = resolved(stack, Criteria(service, kubernetes, accelerator, os, intent, framework, sharing))
    rows = [
        {
            "place": place,
            "component": one.name,
            "chart": one.chart,
            "version": one.version,
            "after": ", ".join(one.after),
        }
        for place, one in enumerate(recipe.components, 1)
    ]
    emit(rows, ("place", "component", "chart", "version", "after"), json, "no components yet")
