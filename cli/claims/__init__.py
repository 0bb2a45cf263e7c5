"""`tessera claims`."""

from cli.claims.command import claims

__all__ = ["claims"]
