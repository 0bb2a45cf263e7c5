"""`tessera tools clean`."""

from __future__ import annotations


def clean() -> None:
    """Remove binaries of versions that this checkout no longer names."""
    from tools.clean import clean as remove

    gone = remove()
    for path in gone:
        print(f"removed {path}")
    if not gone:
        print("nothing to remove")
