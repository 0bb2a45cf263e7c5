"""A stand-in for Pulumi's Python language host, for machines where the official CLI is not to be had.

The Pulumi CLI can be built from Go modules, its Python language host can't. This package serves the
same gRPC service (LanguageRuntime) to the real engine: `python -m tools.language_host ENGINE_ADDRESS`.
See docs/language-host.md for what it covers.
"""
