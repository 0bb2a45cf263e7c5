"""What all types of the stack file have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A part of the stack file. Frozen; unknown keys are refused; lists become tuples."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class OneOf(Model):
    """A mapping with exactly one of its keys; tessera.spec.checks sees to it."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    @property
    def kind(self) -> str:
        """The key that is written."""
        (key,) = self.model_fields_set
        return key.replace("_", "-")


def branch(value: object) -> str:
    """Which of two shapes a value has: a word, or a mapping with settings."""
    return WORD if not isinstance(value, dict | BaseModel) else SETTINGS


WORD, SETTINGS = (chr(0) + name for name in ("word", "settings"))
"""Tags of the two shapes; pydantic puts them into paths, and tessera.spec.form takes them out.

No YAML file can hold their first character, so no key of a user's is taken for one."""
