"""Secrets of a stack file: passed on by reference, shown by nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tessera.errors import TesseraError

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema


class Secret:
    """An encrypted value. reference: its path in the stack file, such as tessera:site.pullSecret.

    Only the program, to which the engine gives the configuration decrypted, holds the value too. No dataclass: those
    are written out with all their fields by whoever dumps them.
    """

    __slots__ = ("_value", "reference")

    def __init__(self, reference: str, value: str | None = None) -> None:
        self.reference = reference
        self._value = value

    def reveal(self) -> str:
        """The value in clear text. Raises TesseraError where nobody decrypted it."""
        if self._value is None:
            raise TesseraError(f"{self.reference}: is encrypted; only the program can read it (`pulumi up`)")
        return self._value

    def __repr__(self) -> str:
        return f"Secret({self.reference!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self.reference == other.reference

    def __hash__(self) -> int:
        return hash(self.reference)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema  # noqa: PLC0415 - a secret needs no pydantic

        return core_schema.is_instance_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {
            "type": "object",
            "properties": {"secure": {"type": "string"}},
            "required": ["secure"],
            "additionalProperties": False,
        }
