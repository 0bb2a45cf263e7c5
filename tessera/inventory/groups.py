"""Names of Ansible's groups: letters, digits and underscores.

A host's name holds no underscore and a group's always one, so the two never meet.
"""

from __future__ import annotations

RESERVED = ("all", "ungrouped")
"""Groups that Ansible makes by itself."""


def group(criterion: str, value: str) -> str:
    """The group of the hosts for which a criterion has a value. criterion: pool, role, accelerator or os."""
    return f"{criterion}_{value.replace('-', '_').replace('.', '_')}"
