"""`tessera uninstall`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Annotated

import typer


def uninstall(
    tools: Annotated[
        bool, typer.Option("--tools", help="Remove the built binaries too; building them takes long.")
    ] = False,
) -> None:
    """Remove what Tessera keeps for this user outside the checkout; refuses while a lab or a stack is left."""
    from cli.environment import backend_dir, pulumi_home
    from lab.home import state_dir
    from tessera.errors import ProblemsError
    from tools.root import root

    if left := _left():
        raise ProblemsError(left)
    _remove(state_dir(), ("labs", backend_dir().name, pulumi_home().name))
    if tools:
        _remove(root(), ("tools", "bin", "logs", "answers.json", "build.lock", "build.pid"))


def _remove(folder: Path, ours: tuple[str, ...]) -> None:
    """Remove what is ours in a folder, and the folder where nothing else is in it: it may be anybody's."""
    if not folder.exists():
        print(f"{folder} was not there")
        return
    for path in (folder / name for name in ours):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    if any(folder.iterdir()):
        print(f"{folder} emptied of what is Tessera's; what else is in it stays")
    else:
        folder.rmdir()
        print(f"removed {folder}")


def _has_resources(state: Path) -> bool:
    """Whether a stack holds anything; `tessera env` makes an empty one."""
    try:
        return bool(json.loads(state.read_text(encoding="utf-8"))["checkpoint"]["latest"].get("resources"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return True  # not to be read, so not to be thrown away


def _left() -> list[str]:
    from cli.environment import backend_dir
    from lab.home import lab_homes

    labs = [f"lab {home.name} is left; `tessera lab down {home.name}` removes it" for home in lab_homes()]
    states = [path for path in sorted((backend_dir() / ".pulumi" / "stacks").glob("*/*.json")) if _has_resources(path)]
    stacks = [
        f"stack {path.stem} is left; `pulumi destroy -s {path.stem}`, then "
        f"`pulumi stack rm {path.stem} --preserve-config` remove it"
        for path in states
    ]
    return [*labs, *stacks]
