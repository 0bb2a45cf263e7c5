"""Two resources of our own provider: which version is installed, and what must go before a release does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pulumi


class ChartVersion(pulumi.CustomResource):
    """tessera:platform:ChartVersion; components/provider/chart_version.py says what it takes and gives."""

    def __init__(self, name: str, inputs: Mapping[str, Any], opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("tessera:platform:ChartVersion", name, dict(inputs), opts)


class CustomObjects(pulumi.CustomResource):
    """tessera:platform:CustomObjects; components/provider/custom_objects.py says what it takes and gives."""

    def __init__(self, name: str, inputs: Mapping[str, Any], opts: pulumi.ResourceOptions | None = None) -> None:
        secret = pulumi.ResourceOptions(additional_secret_outputs=["kubeconfig"])
        super().__init__(
            "tessera:platform:CustomObjects", name, dict(inputs), pulumi.ResourceOptions.merge(opts, secret)
        )
