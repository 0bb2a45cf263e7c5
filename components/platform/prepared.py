"""From a recipe's components to what the Platform installs: planned, fetched and checked, with nothing made yet."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi

from components.platform.store import Store
from components.platform.web import Web, certificates, logins
from components.project import project_root
from tessera.errors import ProblemsError, TesseraError
from tessera.platform.plan import Settings, plan
from tessera.platform.ready import ReadyPlatform, ready
from tessera.recipe.resolved import Component


def prepared(
    components: Sequence[Component],
    settings: Settings,
    ca_bundle: str | None = None,
    pull_secret: str | None = None,
    proxy: str | None = None,
    no_proxy: Sequence[str] = (),
) -> ReadyPlatform:
    """The platform, with every chart on this machine. pull_secret: a .dockerconfigjson in clear text.

    Raises pulumi.RunError, which the engine shows without a trace, with every problem.
    """
    try:
        wanted = plan(components, settings)
        web = Web(certificates(ca_bundle), logins(pull_secret), proxy, no_proxy)
        root = project_root()
        return ready(wanted, Store(root, web, _progress).load(wanted))
    except ProblemsError as error:
        found = "\n".join(f"  {one}" for one in error.problems)
        raise pulumi.RunError(f"the platform can't be installed, and nothing of it was:\n{found}") from error
    except TesseraError as error:
        raise pulumi.RunError(str(error)) from error


def _progress(line: str) -> None:
    pulumi.log.info(line, ephemeral=True)
