"""The type of a value that must be encrypted in the stack file."""

from __future__ import annotations

from typing import Annotated

from tessera.spec.allowed import SECRET, Allowed
from tessera.spec.secret import Secret

Encrypted = Annotated[Secret, Allowed("an encrypted value, as `pulumi config set --secret --path` writes it", SECRET)]
"""Whoever writes it in clear text is told so, without the text."""
