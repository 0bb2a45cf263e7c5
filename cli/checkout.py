"""The checkout that this command belongs to."""

from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
