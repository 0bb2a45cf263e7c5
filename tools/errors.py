"""The one error that this room raises on purpose."""


class ToolError(Exception):
    """A tool can't be had; str() is a sentence for the user that says what to do next."""
