"""Rules for other charts: certificates that nobody checks, open dashboards, known passwords, reports, moving tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tessera.charts.keys import at
from tessera.recipe.resolved import ResolvedRecipe
from tessera.recipe.secrets import PREFIX
from tessera.recipe.security.problem import Problem, found, of_chart

MOVING = ("latest", "main", "master", "nightly", "edge", "dev")
PASSWORDS = ("prom-operator", "admin", "password", "changeme")
_SECRET = re.compile(r"(?i).*(password|passwd|passphrase|token|apikey|api_key|secretkey|clientsecret)")

_SWITCHES = (
    ("metrics-server", "apiService.insecureSkipTLSVerify", False, True, "the API server would trust any certificate"),
    ("kueue", "enableKueueViz", False, False, "the dashboard asks nobody who they are"),
    ("alloy", "alloy.enableReporting", False, True, "it reports its use to its maker"),
    ("loki", "loki.analytics.reporting_enabled", False, True, "it reports its use to its maker"),
)
"""Chart, path, what is allowed, the default, and why."""


def switches(recipe: ResolvedRecipe) -> Iterator[Problem]:
    """Values that are fine one way only."""
    for chart, key, allowed, default, why in _SWITCHES:
        for path, values in of_chart(recipe, chart):
            if (is_ := at(values, key, default)) is not allowed:
                said = f"found {str(is_).lower()}, allowed: {str(allowed).lower()}; {why}"
                yield found(recipe, f"{chart}-{key.rpartition('.')[2]}", f"{path}.{key}", said, "warning")
    for path, values in of_chart(recipe, "prometheus-adapter"):
        if not (at(values, "tls.enable", False) or at(values, "certManager.enabled", False)):
            said = "found false, and tls.enable too; allowed: one of them true; the API service would skip verification"
            yield found(recipe, "adapter-tls", f"{path}.certManager.enabled", said, "warning")


def passwords(recipe: ResolvedRecipe) -> Iterator[Problem]:
    """Passwords and tokens in clear text, wherever a key is called so: recipes are shown and committed."""
    for one in recipe.components:
        for path, key, value in _leaves(one.values, f"components.{one.name}.values"):
            if not _SECRET.fullmatch(key) or not isinstance(value, str) or not value or value.startswith(PREFIX):
                continue
            known = "is a password that everybody knows" if value in PASSWORDS else "holds a secret in clear text"
            said = f"{known}; encrypt one as tessera:secrets.NAME, and write {PREFIX}NAME here"
            yield found(recipe, "secret-in-clear", path, said)


def moving_tags(recipe: ResolvedRecipe) -> Iterator[Problem]:
    """Images that are another one tomorrow."""
    for one in recipe.components:
        for path, key, value in _leaves(one.values, f"components.{one.name}.values"):
            tag = str(value).rpartition(":")[2] if key == "image" and ":" in str(value) else value
            if key in ("tag", "version", "image") and tag in MOVING:
                yield found(recipe, "moving-tag", path, f"found {tag}, which moves; allowed: a version or a digest")


def _leaves(value: Any, path: str, key: str = "") -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}", name)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, path, key)
    else:
        yield path, key, value
