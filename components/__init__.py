"""Pulumi components: they declare what the domain decided."""
