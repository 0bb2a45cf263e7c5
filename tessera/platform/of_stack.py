"""What a stack says of its platform as a whole."""

from __future__ import annotations

from tessera.platform.plan import Settings
from tessera.spec.stack import Stack


def settings(stack: Stack) -> Settings:
    """The settings of a stack file."""
    site = stack.site
    taken = {workload.namespace: f"workload {workload.name}" for workload in stack.workloads}
    return Settings(
        charts=site.charts,
        mirror=site.mirror if site.rewrite else None,
        has_pull_secret=site.pull_secret is not None,
        secrets=tuple(stack.secrets),
        allow_major=stack.allow_major,
        taken={**taken, **{tenant.name: f"tenant {tenant.name}" for tenant in stack.tenants}},
    )
