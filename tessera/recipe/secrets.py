"""Secrets in a recipe: it holds none, and refers to those of the stack by name."""

PREFIX = "secret://"
"""Before the name."""
