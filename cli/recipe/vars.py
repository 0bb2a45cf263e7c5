"""`tessera recipe vars`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.output import Json
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


def variables(
    stack: MaybeStackName = None,
    service: Service = None,
    kubernetes: Kubernetes = None,
    accelerator: Accelerator = None,
    os: Os = None,
    intent: Intent = None,
    framework: Framework = None,
    sharing: Sharing = None,
    pool: Annotated[str | None, typer.Option(help="One pool; all without it.")] = None,
    json: Json = False,
) -> None:
    """Print what the hosts of each pool need, as YAML for group_vars of a hand-written inventory."""
    import json as json_module

    import yaml

    recipe = resolved(stack, Criteria(service, kubernetes, accelerator, os, intent, framework, sharing))
    found: dict[str, Any] = {one.name: dict(one.hosts) for one in recipe.pools if pool in (None, one.name)}
    if pool and not found:
        from tessera.errors import TesseraError
        from tessera.naming import unknown

        raise TesseraError(unknown("pool", pool, [one.name for one in recipe.pools]))
    said: Any = found[pool] if pool else found
    print(json_module.dumps(said, indent=2) if json else yaml.safe_dump(said, sort_keys=True), end="")
