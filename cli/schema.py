"""`tessera schema`."""

from __future__ import annotations


def schema() -> None:
    """Print the JSON schema of a stack file; stacks/schema.json is its output."""
    import json

    from tessera.spec.schema import json_schema

    print(json.dumps(json_schema(), indent=2))
